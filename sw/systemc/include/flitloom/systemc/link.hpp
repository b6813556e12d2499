// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_SYSTEMC_LINK_HPP
#define FLITLOOM_SYSTEMC_LINK_HPP

#include <systemc>
#include <tlm>
#include <tlm_utils/tlm_quantumkeeper.h>

#include <flitloom/link.h>

namespace flitloom
{

// A struct loom_link over a TLM-2.0 initiator socket, so that load and run of libflitloom work from inside a platform, against
// whatever its buses lead to: a flitloom::chip, or anybody's model of a chip with the same register port.
//
// It works within an SC_THREAD only (which needs stack: see docs/systemc.md), for one user at a time. Each transfer is one
// burst, unless it is longer than burst_words; a transfer to one address has a streaming width of 4. Running the chip for n
// cycles is waiting n periods. A response other than TLM_OK_RESPONSE is LOOM_ELINK, and its text names the response.
class link : public sc_core::sc_module, private tlm::tlm_bw_transport_if<>
{
      public:
	enum class style {
		lt, // b_transport; runs ahead of simulated time by up to TLM's global quantum, which is 0 if nobody sets it
		at, // nb_transport, all four phases. The time-out is of simulated time
	};

	tlm::tlm_initiator_socket<32> socket;
	unsigned burst_words = 65536; // in one transaction

	// base: byte address of the chip's word 0. period: that of the chip's clock.
	explicit link(sc_core::sc_module_name name, style how = style::lt,
	              sc_core::sc_time period = sc_core::sc_time(10, sc_core::SC_NS), uint64_t base = 0);

	struct loom_link *handle() // for loom_device_open; the module's
	{
		return &handle_;
	}
	void sync(); // waits until simulated time is where this link is

	// For struct loom_link_options.kinds: "systemc:top.link" then opens the link of that name.
	static const struct loom_link_kind kind;

      private:
	struct access;
	using payload = tlm::tlm_generic_payload;

	static int open(struct loom_link *out, const char *argument, const struct loom_link_options *options,
	                struct loom_err *err);
	static int transfer(struct loom_link *handle, const struct loom_transfer *list, size_t n, unsigned timeout_ms,
	                    struct loom_err *err);
	static int run(struct loom_link *handle, uint64_t n_cycles, struct loom_err *err);
	static void close(struct loom_link *handle);

	tlm::tlm_sync_enum nb_transport_bw(payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay) override;
	void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;

	int carry(const struct loom_transfer &t, unsigned timeout_ms, struct loom_err *err);
	void set(payload &trans, const struct loom_transfer &t, void *words) const;
	int check(const payload &trans, const struct loom_transfer &t, struct loom_err *err) const;
	int burst_lt(const struct loom_transfer &t, struct loom_err *err);
	int burst_at(const struct loom_transfer &t, unsigned timeout_ms, struct loom_err *err);
	bool exchange(access &a, const sc_core::sc_time &until);
	void give_up(access &a);
	bool wait_for(const bool &what, const sc_core::sc_time &until);

	struct loom_link handle_ = {};
	const style style_;
	const sc_core::sc_time period_;
	const uint64_t base_;
	tlm_utils::tlm_quantumkeeper keeper_;

	access *current_ = nullptr;           // of style at: under way
	const payload *request_of_ = nullptr; // whose request was the last, be it given up
	bool request_free_ = true;            // the target has taken it
	bool responded_ = false;              // to the current one
	sc_core::sc_time response_at_;        // when
	sc_core::sc_event moved_;             // one of these has changed
};

} // namespace flitloom

#endif
