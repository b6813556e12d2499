// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef SCENE_HPP
#define SCENE_HPP

#include <functional>

#include "tlm_checker.hpp"

using payload = tlm::tlm_generic_payload;
using tlm::TLM_ACCEPTED;
using tlm::TLM_COMPLETED;

const sc_core::sc_time none = sc_core::SC_ZERO_TIME, ns(1, sc_core::SC_NS);

struct note : tlm::tlm_extension<note> {
	tlm::tlm_extension_base *clone() const override
	{
		return nullptr;
	}
	void copy_from(const tlm::tlm_extension_base &) override
	{
	}
	void free() override
	{
	}
};

// A transaction of 8 bytes with byte enables and an extension.
struct transaction : payload, tlm::tlm_mm_interface {
	unsigned char data[8] = {1, 2, 3, 4, 5, 6, 7, 8}, enables[4] = {255, 0, 255, 255};
	note extension;

	transaction()
	{
		set_mm(this);
		acquire();
		set_write();
		set_address(64);
		set_data_ptr(data);
		set_data_length(8);
		set_streaming_width(8);
		set_byte_enable_ptr(enables);
		set_byte_enable_length(4);
		set_extension(&extension);
	}
	~transaction() override
	{
		clear_extension<note>(); // or the payload would look for it when it is gone
	}
	void free(payload *) override
	{
	}
};

// An initiator and a target with a checker between them. A script does what both do; what a side answers is set before.
struct scene : sc_core::sc_module, tlm::tlm_fw_transport_if<>, tlm::tlm_bw_transport_if<> {
	tlm::tlm_initiator_socket<32> initiator{"initiator"};
	tlm::tlm_target_socket<32> target{"target"};
	tlm_checker checker{"checker"};
	transaction t, other;
	note another;
	std::function<void(payload &, sc_core::sc_time &)> on_b;
	std::function<unsigned(payload &)> on_debug;
	std::function<tlm::tlm_sync_enum(payload &, tlm::tlm_phase &, sc_core::sc_time &)> on_fw, on_bw;

	explicit scene(sc_core::sc_module_name name) : sc_core::sc_module(name)
	{
		initiator.bind(*this);
		target.bind(*this);
		initiator.bind(checker.in);
		checker.out.bind(target);
		on_b = [](payload &p, sc_core::sc_time &d) {
			p.set_response_status(tlm::TLM_OK_RESPONSE);
			d += ns;
		};
		on_debug = [](payload &p) { return p.get_data_length(); };
		on_fw = [](payload &, tlm::tlm_phase &p, sc_core::sc_time &) {
			return p == tlm::END_RESP ? TLM_COMPLETED : TLM_ACCEPTED;
		};
		on_bw = [](payload &, tlm::tlm_phase &, sc_core::sc_time &) { return TLM_ACCEPTED; };
	}
	void b_transport(payload &p, sc_core::sc_time &d) override
	{
		on_b(p, d);
	}
	tlm::tlm_sync_enum nb_transport_fw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &d) override
	{
		return on_fw(p, phase, d);
	}
	tlm::tlm_sync_enum nb_transport_bw(payload &p, tlm::tlm_phase &phase, sc_core::sc_time &d) override
	{
		return on_bw(p, phase, d);
	}
	bool get_direct_mem_ptr(payload &, tlm::tlm_dmi &) override
	{
		return false;
	}
	unsigned transport_dbg(payload &p) override
	{
		return on_debug(p);
	}
	void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override
	{
	}

	// Scripts call these.
	void b(sc_core::sc_time delay = none)
	{
		initiator->b_transport(t, delay);
	}
	void fw(tlm::tlm_phase phase, sc_core::sc_time delay = none)
	{
		fw(t, phase, delay);
	}
	void fw(payload &p, tlm::tlm_phase phase, sc_core::sc_time delay = none)
	{
		initiator->nb_transport_fw(p, phase, delay);
	}
	void bw(tlm::tlm_phase phase, sc_core::sc_time delay = none)
	{
		bw(t, phase, delay);
	}
	void bw(payload &p, tlm::tlm_phase phase, sc_core::sc_time delay = none)
	{
		target->nb_transport_bw(p, phase, delay);
	}
	void ok(payload &p)
	{
		p.set_response_status(tlm::TLM_OK_RESPONSE);
	}
	void ok()
	{
		ok(t);
	}
};

#endif
