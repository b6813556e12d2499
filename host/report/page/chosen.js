// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs and plans whose routers choose: what each channel may carry, and what it did (report_html_chosen.c).

function viewChosen(runs) {
	const lists = make("section", {id: "lists"});
	runs.forEach((run, k) => {
		const rows = run.rows.map(([pass, place, least, most, messages, flits, blocked]) =>
			({pass, name: run.channels[place][1], group: run.groups[run.channels[place][2]], number: run.channels[place][0], least, most, messages, flits, blocked}));
		const of = new Map();
		for (const row of rows)
			of.set(row.number, [...(of.get(row.number) || []), row]);
		const words = (number) => {
			const all = of.get(number) || [];
			return all.length ? [all[0].name, ...all.map((row) => (run.passes > 1 ? "pass " + row.pass + ": " : "") + row.least + " to " + plural(row.most, "message") +
				(run.measured ? ", measured " + row.messages + (row.blocked ? ", headers waited " + plural(row.blocked, "cycle") : "") : ""))].join("\n") : "";
		};
		for (const element of document.querySelectorAll("figure[data-panel='" + k + "'] [data-c]")) {
			element.querySelector("title")?.remove();
			element.addEventListener("mouseenter", () => showTip(element, words(+element.getAttribute("data-c"))));
			element.addEventListener("mouseleave", () => showTip(element, ""));
		}
		const columns = [{name: "channel", of: (row) => row.name, left: true}, {name: "group", of: (row) => row.group, left: true}, {name: "pass", of: (row) => row.pass},
			{name: "at least", of: (row) => row.least}, {name: "at most", of: (row) => row.most}];
		if (run.measured)
			columns.push({name: "measured", of: (row) => row.messages}, {name: "flits", of: (row) => row.flits}, {name: "waiting", of: (row) => row.blocked});
		const title = "channels" + (runs.length > 1 ? " of " + run.title : "");
		lists.append(make("h2", {}, "Messages on each channel" + (runs.length > 1 ? ", " + run.title : "")),
			makeList(title, columns, rows, null, (row) => run.measured && (row.messages < row.least || row.messages > row.most)).element);
	});
	byId("panels").after(lists);
}
