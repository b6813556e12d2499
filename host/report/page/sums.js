// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The numbers of a run in a report.

const pick = (object, path) => path.split(".").reduce((it, name) => it === null || it === undefined ? it : it[name], object);

// A table with the sums of each report, predicted beside measured.
function viewSums(reports, titles) {
	const rows = [["contention", "contention"], ["cycles", "cycles"], ["back to back", "back_to_back_cycles"],
		["blocked cycles", "blocked_cycles"], ["lower bound", "lower_bound"], ["messages", "delivered_messages"],
		["flits", "delivered_flits"], ["corrupt flits", "corrupt_flits"]];
	const columns = reports.flatMap((it, k) => ["predicted", "measured"].filter((part) => it[part]).map((part) => ({
		name: (titles[k] ? titles[k] + ", " : "") + part, of: (path) => {
			const plan = {delivered_messages: "messages", delivered_flits: "flits"}[path];
			return plan && part === "predicted" ? it[plan] : pick(it[part], path);
		}})));
	const lines = rows.map(([name, path]) => [name, columns.map((c) => c.of(path))]);
	const groups = [...new Set(reports.flatMap((it) => (it.predicted?.groups || []).map((g) => g.name)))];
	for (const group of groups)
		lines.push(["most on one channel, " + group, reports.flatMap((it) => ["predicted", "measured"].filter((p) => it[p]).map((p) =>
			(it[p].groups || []).find((g) => g.name === group)?.max))]);
	const known = lines.filter(([, cells]) => cells.some((x) => x !== undefined && x !== null));
	const sums = make("section", {id: "sums"}, make("h2", {}, "Predicted and measured")), verdicts = make("div", {id: "verdicts"});
	document.querySelector("header").append(verdicts);
	reports.forEach((it, k) => {
		if (!it.verdict)
			return;
		const failed = it.verdict !== "pass";
		verdicts.append(make("p", {class: failed ? "bad" : "good"}, (titles[k] ? titles[k] + ": " : "") +
			(failed ? "✗ " + plural(it.mismatch_count, "difference") + " from the plan" : "✓ every message and every channel as predicted")));
		if (failed)
			verdicts.append(make("ul", {class: "mismatches"}, ...it.mismatches.map((text) => make("li", {}, text))));
	});
	sums.append(make("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "predicted and measured"}, make("table", {},
		make("thead", {}, make("tr", {}, make("td"), ...columns.map((c) => make("th", {scope: "col"}, c.name)))),
		make("tbody", {}, ...known.map(([name, cells]) => make("tr", {}, make("th", {scope: "row", class: "left"}, name),
			...cells.map((x) => make("td", {}, show(x)))))))));
	if (byId("side"))
		byId("side").append(sums);
	else if (printed)
		printed.before(sums);
	else
		main.append(sums);
}
