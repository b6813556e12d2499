// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_SYSTEMC_NODE_SOCKETS_HPP
#define FLITLOOM_SYSTEMC_NODE_SOCKETS_HPP

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <flitloom/systemc/fabric.hpp>

namespace flitloom
{

// A node of a fabric for models that speak TLM-2.0: a frame is one write. It takes the node's ports `in` and `out`.
//
// - send: a write of the model's, to address window * destination, sends its data as a frame. b_transport comes back when the last
//   beat of it is at the router's input, so a network that is full makes the writer wait; nb_transport works as well.
// - receive: for each frame that has come whole there is a write, by b_transport, to address window * source. The next one waits until
//   it returns. A frame that is longer than `window`, which a model with FIFOs can send, is thrown away, and a write that is not answered
//   by TLM_OK_RESPONSE is over: both are SC_REPORT_WARNING("/flitloom/node_sockets", why).
//
// CONTROL.RESET by the fabric's link resets it, too: it throws away what has not come whole, and a write whose frame is not
// wholly at the router is answered by TLM_GENERIC_ERROR_RESPONSE.
//
// Data are whole words of 32 bits, in the order of addresses, as the host has them, up to `window` bytes. Others are answered by
// TLM_ADDRESS_ERROR_RESPONSE (no such node, or an address inside a window), TLM_BURST_ERROR_RESPONSE (length, streaming width),
// TLM_BYTE_ENABLE_ERROR_RESPONSE, TLM_COMMAND_ERROR_RESPONSE (a read) and TLM_GENERIC_ERROR_RESPONSE (no data pointer). TLM_IGNORE_COMMAND does nothing.
class node_sockets : public sc_core::sc_module
{
      public:
	static constexpr uint64_t window = 65536; // bytes: from node to node, and the longest frame

	tlm_utils::simple_target_socket<node_sockets, 32> send;
	tlm_utils::simple_initiator_socket<node_sockets, 32> receive;

	node_sockets(sc_core::sc_module_name name, fabric &network, unsigned node);

      private:
	void b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay);
	tlm::tlm_response_status check(const tlm::tlm_generic_payload &trans) const;
	void begin_anew(); // method, when the fabric was reset
	void deliver();    // thread: what comes out of the network
	void hand_on(unsigned from, std::vector<uint32_t> &frame);
	void refuse(unsigned from, const std::string &why);

	const fabric &network_;
	sc_core::sc_fifo<beat> to_network_, from_network_;
	sc_core::sc_mutex sending_;   // frames go one after the other
	std::vector<uint32_t> frame_; // that is coming, up to a window of it
	uint64_t length_ = 0;         // of it, in words
	uint64_t resets_ = 0;
	sc_core::sc_event cut_; // one delta cycle after a reset
};

} // namespace flitloom

#endif
