// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The script of an HTML report (report_html.c), in files that tools/report_page.sh puts one behind the other into one function. It draws
// what the data says and computes no plan. Here: what all of them use, and lists.
const byId = (id) => document.getElementById(id);
const report = JSON.parse(byId("report").textContent);
const page = JSON.parse(byId("runs").textContent);
const main = document.querySelector("main");
const printed = byId("printed");

// --- Small things ---------------------------------------------------------------------------------------------------

// An element: its tag, its attributes (a function listens), what is in it.
function make(tag, attributes, ...inside) {
	const it = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes || {}))
		if (typeof value === "function")
			it.addEventListener(name, value);
		else if (value === true)
			it.setAttribute(name, "");
		else if (value !== false && value !== null && value !== undefined)
			it.setAttribute(name, value);
	it.append(...inside.filter((x) => x !== null && x !== undefined));
	return it;
}

function makeSvg(tag, attributes, ...inside) {
	const it = document.createElementNS("http://www.w3.org/2000/svg", tag);
	for (const [name, value] of Object.entries(attributes || {}))
		if (value !== null && value !== undefined)
			it.setAttribute(name, value);
	it.append(...inside);
	return it;
}

const isNumber = (x) => typeof x === "number" && isFinite(x);
// A number of the report: six digits of one that is not whole.
const show = (x) => x === null || x === undefined ? "–" : x === true ? "yes" : x === false ? "no" :
	isNumber(x) && !Number.isInteger(x) ? String(+x.toPrecision(6)) : String(x);
const percent = (part) => (100 * part).toFixed(1) + "%";
const plural = (n, word) => n + " " + word + (n === 1 ? "" : "s");

const tip = make("div", {id: "tip", role: "status"});
document.body.append(tip);

// Shows text beside an element; "" hides it.
function showTip(element, lines) {
	tip.textContent = lines;
	tip.classList.toggle("shown", lines !== "");
	if (!lines)
		return;
	const at = element.getBoundingClientRect(), own = tip.getBoundingClientRect();
	const x = Math.min(Math.max(4, at.left + at.width / 2 - own.width / 2), innerWidth - own.width - 4);
	const above = at.top - own.height - 8;
	tip.style.left = Math.max(4, x) + "px";
	tip.style.top = (above > 4 ? above : Math.min(at.bottom + 8, innerHeight - own.height - 4)) + "px";
}

// --- Colours --------------------------------------------------------------------------------------------------------

function colourOf(value, most) {
	const last = page.colours.length - 1;
	if (!(value > 0))
		return page.idle;
	const part = most > 1 ? Math.log(Math.max(value, 1)) / Math.log(most) : 0;
	return page.colours[Math.round(Math.min(1, part) * last)];
}

// Ink that can be read on a colour "#rrggbb".
function inkOn(colour) {
	const part = (i) => {
		const v = parseInt(colour.slice(i, i + 2), 16) / 255;
		return v <= 0.04045 ? v / 12.92 : Math.pow((v + 0.055) / 1.055, 2.4);
	};
	const light = 0.2126 * part(1) + 0.7152 * part(3) + 0.0722 * part(5) + 0.05;
	return light > 0.308 ? "#1d2530" : 1.05 / light >= 4.5 ? "#fff" : "#000";
}

// --- Lists ----------------------------------------------------------------------------------------------------------

// A list that sorts and filters. columns: {name, of(row), left}; rows: any values; pick(row) if one can be chosen; mark(row): it
// differs from what was predicted.
function makeList(title, columns, rows, pick, mark) {
	const STEP = 100;
	let sorted = -1, down = false, shown = STEP, words = "";
	const body = make("tbody"), count = make("span", {class: "count"});
	const more = make("button", {type: "button", click: () => { shown += 10 * STEP; fill(); }}, "show more");
	const heads = columns.map((c, k) => make("th", {scope: "col", class: c.left ? "left" : null},
		make("button", {type: "button", click: () => { down = sorted === k && !down; sorted = k; fill(); }}, c.name)));
	function kept() {
		const all = words.toLowerCase().split(/\s+/).filter((w) => w);
		let list = rows;
		if (all.length)
			list = rows.filter((row) => {
				const text = columns.map((c) => show(c.of(row))).join(" ").toLowerCase();
				return all.every((w) => text.includes(w));
			});
		if (sorted < 0)
			return list;
		const of = columns[sorted].of, sign = down ? -1 : 1;
		return list.map((row) => [of(row), row]).sort(([a], [b]) =>
			sign * (isNumber(a) && isNumber(b) ? a - b
				: isNumber(a) !== isNumber(b) ? (isNumber(a) ? -1 : 1)
				: String(a).localeCompare(String(b), "en", {numeric: true}))).map((pair) => pair[1]);
	}
	function line(row) {
		const differs = mark && mark(row);
		const cells = columns.map((c, k) => {
			const text = show(c.of(row)) + (differs && k === 0 ? " ≠" : "");
			const inside = pick && k === 0 ? make("button", {type: "button", click: () => pick(row)}, text) : text;
			return make(k === 0 ? "th" : "td", {scope: k === 0 ? "row" : null, class: c.left ? "left" : null}, inside);
		});
		return make("tr", {class: differs ? "differs" : null}, ...cells);
	}
	function fill() {
		const list = kept();
		body.replaceChildren(...list.slice(0, shown).map(line));
		count.textContent = list.length === rows.length ? plural(rows.length, "row") : list.length + " of " + plural(rows.length, "row");
		more.hidden = list.length <= shown;
		heads.forEach((head, k) => head.setAttribute("aria-sort", k !== sorted ? "none" : down ? "descending" : "ascending"));
	}
	const filter = make("input", {type: "search", placeholder: "filter", "aria-label": "filter " + title,
		input: (event) => { words = event.target.value; shown = STEP; fill(); }});
	const scroll = make("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": title},
		make("table", {}, make("thead", {}, make("tr", {}, ...heads)), body));
	fill();
	return {element: make("div", {class: "list"}, make("div", {class: "bar"}, filter, count), scroll, more),
		replace(list) { rows = list; fill(); }};
}
