// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#include <flitloom/systemc/node_sockets.hpp>

#include <cstring>
#include <mutex>

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
	SC_METHOD(begin_anew);
	sensitive << network.reset_event();
	dont_initialize();
}

// The writer, if there is one, withdraws its words.
void node_sockets::begin_anew()
{
	resets_++;
	frame_.clear();
	length_ = 0;
	beat b;
	while (from_network_.nb_read(b))
		;
	cut_.notify(sc_core::SC_ZERO_TIME);
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
	const std::lock_guard<sc_core::sc_mutex> one_at_a_time(sending_);
	const uint64_t begun = resets_;
	const unsigned n_words = trans.get_data_length() / word_bytes;
	for (unsigned i = 0; i < n_words && resets_ == begun; i++) {
		uint32_t word;
		std::memcpy(&word, trans.get_data_ptr() + i * word_bytes, word_bytes);
		beat b;
		b.data = word;
		b.node = static_cast<unsigned>(trans.get_address() / window);
		b.last = i + 1 == n_words;
		while (resets_ == begun && !to_network_.nb_write(b))
			wait(to_network_.data_read_event() | cut_);
	}
	// The FIFO shows the last beat in the next delta cycle at the earliest.
	bool there = false;
	while (resets_ == begun && !there) {
		wait(to_network_.data_read_event() | cut_);
		there = to_network_.num_available() == 0;
	}
	if (resets_ == begun)
		return;
	beat b;
	while (to_network_.nb_read(b))
		;
	trans.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
}

void node_sockets::deliver()
{
	for (;;) {
		const beat b = from_network_.read();
		if (++length_ <= window / word_bytes)
			frame_.push_back(static_cast<uint32_t>(b.data));
		if (!b.last)
			continue;
		// All that arrives meanwhile, a reset included, belongs to other frames.
		std::vector<uint32_t> frame;
		frame.swap(frame_);
		const uint64_t length = length_;
		length_ = 0;
		if (length > frame.size())
			refuse(b.node, "it has " + std::to_string(length) + " words, more than a window");
		else
			hand_on(b.node, frame);
	}
}

void node_sockets::hand_on(unsigned from, std::vector<uint32_t> &frame)
{
	tlm::tlm_generic_payload trans;
	sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
	trans.set_write();
	trans.set_address(from * window);
	trans.set_data_ptr(reinterpret_cast<unsigned char *>(frame.data()));
	trans.set_data_length(static_cast<unsigned>(frame.size()) * word_bytes);
	trans.set_streaming_width(trans.get_data_length());
	receive->b_transport(trans, delay);
	wait(delay);
	if (trans.is_response_error())
		refuse(from, trans.get_response_string());
}

void node_sockets::refuse(unsigned from, const std::string &why)
{
	SC_REPORT_WARNING(reporter, ("a frame from node " + std::to_string(from) + " was refused: " + why).c_str());
}

} // namespace flitloom
