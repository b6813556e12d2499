// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Sits between a TLM-2.0 initiator and a target, hands everything on as it is, and holds both to the rules of the base protocol
// (IEEE 1666-2011, chapters 11, 14 and 15). It knows nothing of flitloom.
#ifndef TLM_CHECKER_HPP
#define TLM_CHECKER_HPP

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <systemc>
#include <tlm>

class tlm_checker : public sc_core::sc_module, private tlm::tlm_fw_transport_if<>, private tlm::tlm_bw_transport_if<>
{
      public:
	enum rule {
		RESPONSE,   // INCOMPLETE when it comes, set when it is over, and once set not changed
		PHASES,     // in order, each once, by the side whose it is; what a call returns agrees with it
		EXCLUSION,  // one request at a time, one response at a time, which is over when its delay is
		DELAY,      // never negative, and what is later is not earlier
		EXTENSIONS, // the target leaves them alone
		PAYLOAD,    // the target changes the data that is read, and the response, and nothing else
		REUSE,      // a transaction is not begun again before it is over; nb_transport's has a memory manager
		DEBUG, // transport_dbg says how many bytes it has moved, at most all, and leaves the response alone
		RULES
	};
	static const char *name_of(rule r);

	tlm::tlm_target_socket<32> in;
	tlm::tlm_initiator_socket<32> out;
	uint64_t begun = 0, ended = 0; // transactions, those of transport_dbg left out

	explicit tlm_checker(sc_core::sc_module_name name);
	uint64_t broken(rule r) const
	{
		return broken_[r];
	}
	uint64_t broken() const;         // all rules
	const std::string &first() const // what was broken first, in a line
	{
		return first_;
	}

      private:
	using payload = tlm::tlm_generic_payload;
	enum stage { REQUEST, TAKEN, RESPONDING };

	// A transaction as it came.
	struct image {
		tlm::tlm_command command;
		uint64_t address;
		const unsigned char *data, *enables;
		unsigned length, n_enables, width;
		tlm::tlm_gp_option option;
		bool dmi;
		std::vector<unsigned char> written, enabled;
		std::vector<const tlm::tlm_extension_base *> extensions;

		explicit image(const payload &trans);
		bool same_payload(const payload &trans) const;
		bool same_extensions(const payload &trans) const;
	};
	struct flight {
		image came;
		stage at;
		sc_core::sc_time time;
		tlm::tlm_response_status response;
	};

	void b_transport(payload &trans, sc_core::sc_time &delay) override;
	tlm::tlm_sync_enum nb_transport_fw(payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay) override;
	tlm::tlm_sync_enum nb_transport_bw(payload &trans, tlm::tlm_phase &phase, sc_core::sc_time &delay) override;
	bool get_direct_mem_ptr(payload &trans, tlm::tlm_dmi &dmi) override;
	unsigned transport_dbg(payload &trans) override;
	void invalidate_direct_mem_ptr(sc_dt::uint64 first, sc_dt::uint64 last) override;

	void broke(rule r, const std::string &what);
	void check(bool right, rule r, const char *what);
	void check_image(const image &came, const payload &trans);
	void begin(payload &trans, const sc_core::sc_time &delay);
	void move_on(payload &trans, const tlm::tlm_phase &phase, const sc_core::sc_time &delay);
	void end(payload &trans);
	void returned(payload &trans, tlm::tlm_sync_enum answer, const tlm::tlm_phase &before,
	              const tlm::tlm_phase &after, const sc_core::sc_time &delay_before, const sc_core::sc_time &delay);

	uint64_t broken_[RULES] = {};
	std::string first_;
	std::map<const payload *, flight> flights_;
	const payload *requesting_ = nullptr, *responding_ = nullptr;
	sc_core::sc_time response_free_; // when the last response is over
};

#endif
