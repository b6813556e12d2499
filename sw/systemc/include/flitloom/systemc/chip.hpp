// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
#ifndef FLITLOOM_SYSTEMC_CHIP_HPP
#define FLITLOOM_SYSTEMC_CHIP_HPP

#include <set>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/peq_with_get.h>

#include <flitloom/link.h>

namespace flitloom
{

// A flitloom chip as a TLM-2.0 target, 32 bits wide: its register port (docs/registers.md), word w at byte address 4w, least
// significant byte at the address on hosts that have it so (TLM's own rule). Behind it any link: the verilated fabric ("sim"), a
// board ("uart:DEV"), a line that loses bytes ("fault:...").
//
// It takes b_transport (loosely timed; delays are honoured and only grow), nb_transport of the base protocol (approximately
// timed, all four phases, one access after the other), and transport_dbg, which takes no simulated time and gives no command (a
// write to CONTROL is refused). Direct memory is denied.
//
// A transaction is a burst of 1 to max_words words, at an aligned address; a streaming width of 4 puts every word of it to one
// address. Others get the response that says why:
// - TLM_BYTE_ENABLE_ERROR_RESPONSE  there are byte enables: the port moves whole words
// - TLM_ADDRESS_ERROR_RESPONSE      an address that is not a multiple of 4, or beyond the last word, 2^34 - 4
// - TLM_BURST_ERROR_RESPONSE        a length of 0, too long, or of no whole words; a streaming width of 0, or one below the
//                                   length that is not 4
// - TLM_COMMAND_ERROR_RESPONSE      a command that TLM does not know; TLM_IGNORE_COMMAND is none and changes nothing
// - TLM_GENERIC_ERROR_RESPONSE      no data; or the link has failed: error() says how
//
// Time: the chip has a clock of `period` from time 0 on (0: the time resolution). n words take n + 5 periods; approximately
// timed, END_REQ comes after n of them and BEGIN_RESP 5 later. While simulated time passes, the chip runs: before the next
// access it catches up on the cycles of that time. With link "sim" the chip's cycles and simulated time agree exactly, except that a chip
// which does nothing is not clocked. A board has a time of its own.
class chip : public sc_core::sc_module, private tlm::tlm_fw_transport_if<>
{
      public:
	static constexpr unsigned max_words = 65536; // of a burst
	static constexpr unsigned latency = 5;       // periods from a word's request to its answer

	tlm::tlm_target_socket<32> socket;
	// 1 while the chip's state is done or stuck, until the next command; looked at every poll_cycles periods of a run, so it
	// may be so late. It may be left unbound.
	sc_core::sc_out<bool> interrupt;

	// Opens a link and owns it: link "sim" of fabric "cube:8". The second form takes all options of a link. If
	// it does not open, the constructor ends in SC_REPORT_ERROR("/flitloom/chip", why).
	chip(sc_core::sc_module_name name, const char *spec, const char *fabric,
	     sc_core::sc_time period = sc_core::sc_time(10, sc_core::SC_NS));
	chip(sc_core::sc_module_name name, const char *spec, const struct loom_link_options &options,
	     sc_core::sc_time period = sc_core::sc_time(10, sc_core::SC_NS));
	// Uses a link that is open, and stays the caller's. It must outlive the simulation.
	chip(sc_core::sc_module_name name, struct loom_link *link,
	     sc_core::sc_time period = sc_core::sc_time(10, sc_core::SC_NS));
	~chip() override;

	// The link's words when it failed last; "" if it never did. It is also reported as a warning of
	// "/flitloom/chip".
	const std::string &error() const
	{
		return error_;
	}
	void set_poll_cycles(unsigned cycles) // 64 if this is not called
	{
		poll_cycles_ = cycles ? cycles : 1;
	}

      protected:
	void before_end_of_elaboration() override;
	void start_of_simulation() override;

      private:
	using payload = tlm::tlm_generic_payload;

	chip(sc_core::sc_module_name name, sc_core::sc_time period, struct loom_link *link); // without threads
	void begin();                                                                        // with them

	void b_transport(payload &trans, sc_core::sc_time &delay) override;
	tlm::tlm_sync_enum nb_transport_fw(payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay) override;
	bool get_direct_mem_ptr(payload &trans, tlm::tlm_dmi &dmi) override;
	unsigned transport_dbg(payload &trans) override;

	int catch_up(const sc_core::sc_time &to, struct loom_err &err);
	bool transfer(const struct loom_transfer &transfer, const sc_core::sc_time &at);
	bool move(payload &trans, bool fixed, const sc_core::sc_time &at);
	tlm::tlm_response_status access(payload &trans, sc_core::sc_time &at);
	void wait_until(const sc_core::sc_time &at);

	void serve(); // thread: what came by nb_transport
	void respond(payload &trans, tlm::tlm_response_status status);
	void responded(const sc_core::sc_time &delay);

	void watch(); // thread: the interrupt
	bool look();

	struct loom_link own_ = {};
	struct loom_link *link_;
	std::string error_;
	std::vector<uint32_t> words_; // of the access under way

	const sc_core::sc_time period_;
	sc_core::sc_time reached_; // the chip has run up to here, which may be ahead of simulated time
	bool idle_ = false;        // nothing goes on in the chip, nor will before the next command
	unsigned poll_cycles_ = 64;

	unsigned state_ = 0; // of the chip, when it was last read
	bool told_ = false;  // there was a command: the state is to be looked at
	sc_core::sc_event command_;
	sc_core::sc_signal<bool> unheard_; // the interrupt of those who do not bind it

	tlm_utils::peq_with_get<payload> requests_;
	std::set<payload *> under_way_;
	payload *responding_ = nullptr; // its BEGIN_RESP was sent, and END_RESP has not come
	sc_core::sc_time response_free_;
	sc_core::sc_event responded_;
};

} // namespace flitloom

#endif
