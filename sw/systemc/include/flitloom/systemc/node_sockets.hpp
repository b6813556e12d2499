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
//   beat of it is on its way to the router, so a network that is full makes the writer wait; nb_transport works as well.
// - receive: for each frame that has come whole there is a write, by b_transport, to address window * source. The next one waits until
//   it returns.
//
// Data are whole words of 32 bits, in the order of addresses, as the host has them, up to `window` bytes. Others are answered by
// TLM_ADDRESS_ERROR_RESPONSE (no such node, or an address inside a window), TLM_BURST_ERROR_RESPONSE (length, streaming width),
// TLM_BYTE_ENABLE_ERROR_RESPONSE and TLM_COMMAND_ERROR_RESPONSE (a read). TLM_IGNORE_COMMAND does nothing.
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
	void deliver(); // thread: what comes out of the network

	const fabric &network_;
	sc_core::sc_fifo<beat> to_network_, from_network_;
	sc_core::sc_mutex sending_; // frames go one after the other
};

} // namespace flitloom

#endif
