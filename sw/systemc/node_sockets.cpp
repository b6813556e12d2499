// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/systemc/node_sockets.hpp>

#include <cstring>

namespace flitloom
{

namespace
{

constexpr const char *reporter = "/flitloom/node_sockets";
constexpr unsigned word_bytes = 4;

} // namespace

node_sockets::node_sockets(sc_core::sc_module_name name, fabric &network, unsigned node)
    : sc_core::sc_module(name), send("send"), receive("receive"), network_(network), to_network_("to_network", 2),
      from_network_("from_network", 2), sending_("sending")
{
	send.register_b_transport(this, &node_sockets::b_transport);
	if (node >= network.nodes()) {
		SC_REPORT_ERROR(reporter, ("there is no node " + std::to_string(node)).c_str());
		return;
	}
	network.in[node](to_network_);
	network.out[node](from_network_);
	SC_HAS_PROCESS(node_sockets);
	SC_THREAD(deliver);
}

tlm::tlm_response_status node_sockets::check(const tlm::tlm_generic_payload &trans) const
{
	const uint64_t length = trans.get_data_length();
	if (trans.get_byte_enable_ptr())
		return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;
	if (!trans.is_write())
		return tlm::TLM_COMMAND_ERROR_RESPONSE;
	if (trans.get_address() % window != 0 || trans.get_address() / window >= network_.nodes())
		return tlm::TLM_ADDRESS_ERROR_RESPONSE;
	if (length == 0 || length % word_bytes != 0 || length > window || trans.get_streaming_width() < length)
		return tlm::TLM_BURST_ERROR_RESPONSE;
	return trans.get_data_ptr() ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE;
}

void node_sockets::b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay)
{
	if (trans.get_command() == tlm::TLM_IGNORE_COMMAND) {
		trans.set_response_status(tlm::TLM_OK_RESPONSE);
		return;
	}
	const tlm::tlm_response_status status = check(trans);
	trans.set_response_status(status);
	if (status != tlm::TLM_OK_RESPONSE)
		return;
	wait(delay);
	delay = sc_core::SC_ZERO_TIME;
	sending_.lock();
	const unsigned n_words = trans.get_data_length() / word_bytes;
	for (unsigned i = 0; i < n_words; i++) {
		uint32_t word;
		std::memcpy(&word, trans.get_data_ptr() + i * word_bytes, word_bytes);
		beat b;
		b.data = word;
		b.node = static_cast<unsigned>(trans.get_address() / window);
		b.last = i + 1 == n_words;
		to_network_.write(b);
	}
	sending_.unlock();
}

void node_sockets::deliver()
{
	std::vector<uint32_t> frame;
	for (;;) {
		const beat b = from_network_.read();
		frame.push_back(static_cast<uint32_t>(b.data));
		if (!b.last)
			continue;
		tlm::tlm_generic_payload trans;
		sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
		trans.set_write();
		trans.set_address(b.node * window);
		trans.set_data_ptr(reinterpret_cast<unsigned char *>(frame.data()));
		trans.set_data_length(static_cast<unsigned>(frame.size()) * word_bytes);
		trans.set_streaming_width(trans.get_data_length());
		receive->b_transport(trans, delay);
		wait(delay);
		if (trans.is_response_error())
			SC_REPORT_WARNING(reporter, ("a frame from node " + std::to_string(b.node) +
			                             " was refused: " + trans.get_response_string())
			                                    .c_str());
		frame.clear();
	}
}

} // namespace flitloom
