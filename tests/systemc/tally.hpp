// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Checks that are counted, and reports of SystemC that are kept instead of ending the program.
#ifndef TALLY_HPP
#define TALLY_HPP

#include <cstdio>
#include <string>
#include <vector>

#include <systemc>

struct tally {
	unsigned passed = 0, failed = 0;
	std::vector<std::string> reports;

	void check(bool ok, const std::string &what)
	{
		(ok ? passed : failed)++;
		if (!ok)
			std::printf("FAIL: %s: %s\n", sc_core::sc_time_stamp().to_string().c_str(), what.c_str());
	}
	// The only report since the last call has these words.
	void check_report(const std::string &words)
	{
		const bool right = reports.size() == 1 && reports[0].find(words) != std::string::npos;
		check(right, std::to_string(reports.size()) + " reports, where one was to say \"" + words + "\"" +
		                     (reports.empty() ? "" : ": " + reports[0]));
		reports.clear();
	}
	int verdict() const
	{
		std::printf("%u passed, %u failed\n", passed, failed);
		return failed ? 1 : 0;
	}
};

// The only one.
inline tally &the_tally()
{
	static tally t;
	return t;
}

inline void keep_reports()
{
	sc_core::sc_report_handler::set_handler([](const sc_core::sc_report &report, const sc_core::sc_actions &) {
		if (report.get_severity() > sc_core::SC_INFO)
			the_tally().reports.push_back(report.get_msg());
	});
}

#endif
