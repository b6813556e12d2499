// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Any other report, circles of channels, and the beginning.

// Values as a list of terms, lists of objects as lists that sort.
function viewAny(object) {
	const terms = [], sections = [];
	function walk(it, before) {
		for (const [name, value] of Object.entries(it)) {
			const path = before + name.replace(/_/g, " ");
			if (name === "request" && !before)
				continue;
			if (Array.isArray(value) && value.length && typeof value[0] === "object" && value[0]) {
				const rows = value.map((row) => flat(row, "", {}));
				const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
				sections.push(make("h2", {}, path), makeList(path, names.map((n) => ({name: n.replace(/[._]/g, " "), of: (row) => row[n],
					left: rows.some((row) => typeof row[n] === "string")})), rows).element);
				value.forEach((row, k) => Object.entries(row).forEach(([inner, list]) => {
					if (Array.isArray(list) && list.length)
						walk({[inner]: list}, path + " " + show(row.rule ?? row.name ?? k) + ": ");
				}));
			} else if (Array.isArray(value)) {
				terms.push([path, value.length ? value.map(show).join(", ") : "none"]);
			} else if (value && typeof value === "object") {
				walk(value, path + ", ");
			} else {
				terms.push([path, show(value)]);
			}
		}
	}
	walk(object, "");
	const section = make("section", {id: "any"}, make("dl", {class: "numbers"}, ...terms.flatMap(([name, value]) => [make("dt", {}, name), make("dd", {}, value)])), ...sections);
	if (printed)
		printed.before(section);
	else
		main.append(section);
}

// --- Circles of channels --------------------------------------------------------------------------------------------

// The network of `check`, with the circle of one rule: its channels are numbered as they wait for one another.
function viewCircles(run, rules) {
	const figure = document.querySelector("figure[data-panel]"), places = new Map(run.raw.channels.map((c, place) => [c[1], place]));
	const shapes = new Map(), texts = new Map();
	for (const element of figure.querySelectorAll("[data-c],[data-t]")) {
		const isText = element.hasAttribute("data-t"), place = run.placeOf.get(+element.getAttribute(isText ? "data-t" : "data-c"));
		const map = isText ? texts : shapes;
		element.querySelector("title")?.remove();
		map.set(place, [...(map.get(place) || []), element]);
	}
	const says = make("p", {id: "where", "aria-live": "polite"});
	function draw(rule) {
		const at = new Map(rule.circle.map((c, k) => [places.get(c.channel), k + 1]));
		for (const [place, list] of shapes)
			for (const element of list) {
				element.classList.toggle("differs", at.has(place));
				const name = run.raw.channels[place][1], c = rule.circle[at.get(place) - 1];
				element.onmouseenter = () => showTip(element, name + (c ? "\n" + at.get(place) + " of the circle" +
					(c.source === undefined ? "" : "\nheld by a message from " + c.source + " to " + c.destination) : ""));
				element.onmouseleave = () => showTip(element, "");
			}
		for (const [place, list] of texts)
			for (const element of list) {
				element.textContent = at.get(place) || "";
				element.setAttribute("fill", inkOn(page.idle));
			}
		says.textContent = rule.circle.length ? "circle of " + rule.circle.length + " channels, dashed: each held by a message that asks for the next one: " +
			rule.circle.map((c) => c.channel).join(", ") : "no circle: no deadlock is possible";
	}
	byId("panels").before(make("div", {id: "controls"}, make("label", {}, "rule ", make("select", {change: (event) => draw(rules[event.target.value])},
		...rules.map((rule, k) => make("option", {value: k}, rule.rule))))), says);
	draw(rules[0]);
}

// --- The beginning --------------------------------------------------------------------------------------------------

const reports = Array.isArray(report.reports) ? report.reports : report.predicted ? [report] : [];
const series = seriesOf(report);
document.body.classList.add("live");
const rules = report.rules || (Array.isArray(report.circle) ? [{rule: "the tables", circle: report.circle}] : null);
if (page.runs.length && reports.length)
	viewRuns(page.runs.map((raw) => new Run(raw)));
else if (page.chosen?.length)
	viewChosen(page.chosen);
else if (page.runs.length && rules && rules.length)
	viewCircles(new Run(page.runs[0]), rules);
if (reports.length)
	viewSums(reports, reports.length > 1 ? ["identity", "best"] : [""]);
else if (series)
	viewCurves(series);
else
	viewAny(report);
const asked = (report.request?.command || []).filter((word) => word !== "--json").map((word) => /^[\w:,.=/+%>-]+$/.test(word) ? word : "'" + word + "'").join(" ");
if (asked)
	document.querySelector("header").append(make("p", {class: "command"}, make("code", {}, asked)));
