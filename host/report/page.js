// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The script of an HTML report (report_html.c). It draws what the data says and computes no plan: report_html_run.c says what the
// data of a run is.
(function () {
"use strict";

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

// --- A run ----------------------------------------------------------------------------------------------------------

const column = (list) => Array.isArray(list) ? (i) => list[i] : () => list;

// Numbers of so many digits to the base 36.
const numbers = (text, digits) => (i) => parseInt(text.slice(i * digits, (i + 1) * digits), 36);

// The steps of a word of "ways": report_html_ways.h.
function stepsOf(word) {
	const steps = [];
	for (const [, digit, large, times] of word.matchAll(/(?:([0-9a-z])|\((\d+)\))([A-Z]?)/g)) {
		const step = digit ? parseInt(digit, 36) : +large;
		for (let n = times ? times.charCodeAt(0) - 64 : 1; n > 0; n--)
			steps.push(step);
	}
	return steps;
}

class Run {
	constructor(raw) {
		this.raw = raw;
		this.title = raw.title;
		this.nChannels = raw.channels.length;
		this.nPasses = raw.passes;
		this.nMessages = raw.first[raw.passes];
		this.placeOf = new Map(raw.channels.map((c, place) => [c[0], place]));
		this.source = numbers(raw.s, raw.digits);
		this.destination = numbers(raw.d, raw.digits);
		this.flits = column(raw.f);
		this.offered = column(raw.o);
		this.known = !raw.stuck;
		this.words = raw.ways.split(" ");
		this.laneWords = raw.lanes ? raw.lanes.split(" ") : null;
		this.exceptions = raw.x ? new Map(raw.x.map((row) => [row[0], row])) : null;
		this.found = new Map((raw.m || []).map((row) => [row[0], row]));
		this.passOf = new Uint32Array(this.nMessages);
		for (let pass = 0; pass < this.nPasses; pass++)
			this.passOf.fill(pass, raw.first[pass], raw.first[pass + 1]);
		this.sumUp();
	}

	node(processor) {
		return this.raw.map ? this.raw.map[processor] : processor;
	}

	isLocal(place) {
		return this.raw.channels[place][2] >= this.raw.groups.length - 2;
	}

	// The places of the channels that message i takes.
	way(i) {
		if (this.words[i] === "-" || this.nMessages === 0)
			return [];
		const way = [this.placeOf.get(this.node(this.source(i)) * this.raw.per_tile + this.raw.inject)];
		for (const step of stepsOf(this.words[i]))
			way.push(this.raw.next[way[way.length - 1]][step]);
		way.push(this.placeOf.get(this.node(this.destination(i)) * this.raw.per_tile + this.raw.inject - 1));
		return way;
	}

	// When message i was on which channel; null: nobody knows.
	crossings(i) {
		if (!this.known || !this.exceptions)
			return null;
		const row = this.exceptions.get(i) || [], lanes = this.laneWords ? stepsOf(this.laneWords[i]) : null;
		const flits = this.flits(i);
		let asks = this.offered(i), at = 1;
		return this.way(i).map((place, k) => {
			const [da, dg, dt] = row[at] === k ? row.slice(at + 1, at + 4) : [0, 0, 0];
			at += row[at] === k ? 4 : 0;
			const asked = asks + da, header = asked + dg;
			asks = header + 1 + this.raw.channels[place][3];
			return {place, lane: lanes ? lanes[k] : 0, asked, header, tail: header + flits - 1 + dt};
		});
	}

	// The predicted cycles of header and tail; null.
	times(i) {
		if (!this.known || this.words[i] === "-")
			return null;
		if (this.raw.h !== undefined)
			return {header: column(this.raw.h)(i), tail: column(this.raw.t)(i)};
		const last = this.crossings(i).pop();
		return {header: last.header, tail: last.tail};
	}

	// Cycles in which the header stood still; null.
	waited(i) {
		const times = this.times(i);
		if (!times)
			return null;
		const way = this.way(i);
		return times.header - this.offered(i) - way.slice(1).reduce((sum, _, k) => sum + 1 + this.raw.channels[way[k]][3], 0);
	}

	// Messages, flits and blocked cycles of each channel in each pass: predicted, and where something else was measured that.
	sumUp() {
		const n = this.nChannels, size = n * this.nPasses;
		this.load = new Uint32Array(size);
		this.carried = new Float64Array(size);
		this.blocked = new Float64Array(size);
		this.differs = new Set();
		for (let i = 0; i < this.nMessages; i++)
			for (const place of this.way(i)) {
				this.load[this.passOf[i] * n + place]++;
				this.carried[this.passOf[i] * n + place] += this.flits(i);
			}
		(this.raw.b || []).forEach((list, pass) => {
			for (let k = 0; k < list.length; k += 2)
				this.blocked[pass * n + list[k]] = list[k + 1];
		});
		for (const [pass, place, messages, flits, blocked] of this.raw.c || []) {
			const at = pass * n + place;
			[this.load[at], this.carried[at], this.blocked[at]] = [messages, flits, blocked];
			this.differs.add(at);
		}
	}

	cyclesOf(pass) {
		const cycles = this.raw.last || this.raw.cycles;
		if (!cycles)
			return 0;
		return this.raw.free ? cycles[0] : pass < 0 ? cycles.reduce((a, b) => a + b, 0) : cycles[pass] || 0;
	}

	// Of a channel in a pass; of all passes (-1) the largest load, and sums.
	count(pass, place) {
		let messages = 0, flits = 0, blocked = 0, most = 0, differs = false;
		const first = pass < 0 ? 0 : pass, last = pass < 0 ? this.nPasses - 1 : pass;
		for (let p = first; p <= last; p++) {
			const at = p * this.nChannels + place;
			messages += this.load[at];
			most = Math.max(most, this.load[at]);
			flits += this.carried[at];
			blocked += this.blocked[at];
			differs = differs || this.differs.has(at);
		}
		const cycles = this.cyclesOf(pass);
		return {messages, most, flits, blocked, differs, use: cycles ? flits / cycles : 0};
	}

	state(i) {
		const found = this.found.get(i);
		return this.words[i] === "-" ? "local" : found ? found[1] : this.raw.measured ? "delivered" : "predicted";
	}

	// Messages of a pass; -1: of all.
	messagesOf(pass) {
		const [from, to] = pass < 0 ? [0, this.nMessages] : [this.raw.first[pass], this.raw.first[pass + 1]];
		return Array.from({length: to - from}, (_, k) => from + k);
	}

	// By place, what crosses a channel in the pass of message i, or in all of a free run: [{i, place, lane, asked, header, tail}].
	users(pass) {
		const key = this.raw.free ? -1 : pass;
		if (this.usersKey !== key) {
			this.usersKey = key;
			this.usersOf = Array.from({length: this.nChannels}, () => []);
			if (this.known && this.exceptions)
				for (const i of this.messagesOf(key))
					for (const it of this.crossings(i))
						this.usersOf[it.place].push({i, ...it});
			for (const list of this.usersOf)
				list.sort((a, b) => a.header - b.header);
		}
		return this.usersOf;
	}

	// Those for whom a header waited at a channel: who had its lane meanwhile; else who still stood behind it; else who shared the link.
	reasons(i, crossing) {
		const others = this.users(this.passOf[i])[crossing.place].filter((it) => it.i !== i);
		const had = others.filter((it) => it.lane === crossing.lane && it.header < crossing.header && it.tail >= crossing.asked);
		if (had.length)
			return had.map((it) => it.i);
		const before = others.filter((it) => it.lane === crossing.lane && it.header < crossing.header);
		if (before.length)
			return [before[before.length - 1].i];
		return others.filter((it) => it.header <= crossing.header && it.tail >= crossing.asked).map((it) => it.i);
	}
}

// --- The view of runs -----------------------------------------------------------------------------------------------

function viewRuns(runs) {
	const state = {mode: "load", pass: -1, cycle: 0, unit: "pass", run: 0, kind: "", chosen: -1, timer: 0, speed: 4};
	const nPasses = Math.max(...runs.map((r) => r.nPasses));
	const hasTimes = runs.some((r) => r.known && r.exceptions);
	const figures = [...document.querySelectorAll("figure[data-panel]")].map((figure, k) => {
		const parts = new Map();
		for (const element of figure.querySelectorAll("[data-c],[data-t]")) {
			const isText = element.hasAttribute("data-t");
			const place = runs[k].placeOf.get(+element.getAttribute(isText ? "data-t" : "data-c"));
			if (place === undefined)
				continue;
			if (!parts.has(place))
				parts.set(place, {shapes: [], texts: []});
			parts.get(place)[isText ? "texts" : "shapes"].push(element);
			element.querySelector("title")?.remove();
			const fill = element.getAttribute("fill");
			element.dataset.paint = fill && fill !== "none" ? "fill" : "stroke";
			if (!isText)
				element.dataset.edge = element.getAttribute("stroke") || "";
		}
		for (const element of figure.querySelectorAll(".of-pass"))
			element.classList.add("gone");
		for (const element of figure.querySelectorAll("text"))
			if (/pass \d+ of 0 to \d+/.test(element.textContent))
				element.textContent = runs.length > 1 ? runs[k].title : "the network";
		const widths = [...figure.querySelectorAll("[data-paint=stroke][data-c]")].map((e) => +e.getAttribute("stroke-width"));
		return {figure, svg: figure.querySelector("svg"), parts, focus: -1, thin: Math.min(...widths), thick: Math.max(...widths)};
	});

	const cycleCount = () => Math.max(1, ...runs.map((r) => r.cyclesOf(r.raw.free ? -1 : Math.max(0, state.pass))));

	// What a channel shows now: a number, its share of the scale, and words.
	function valueOf(run, place) {
		if (state.cycle > 0)
			return nowOf(run, place);
		const n = run.count(state.pass, place);
		if (state.mode === "wait")
			return {value: n.blocked, text: n.blocked, differs: n.differs};
		if (state.mode === "use")
			return {value: 100 * n.use, text: n.use ? Math.round(100 * n.use) : "", differs: n.differs};
		return {value: n.most, text: n.most, differs: n.differs};
	}

	function nowOf(run, place) {
		const users = run.users(Math.max(0, state.pass))[place];
		const on = users.filter((it) => it.header <= state.cycle && it.tail >= state.cycle);
		const waits = users.filter((it) => it.asked <= state.cycle && it.header > state.cycle);
		return {value: on.length, text: waits.length ? "+" + waits.length : "", waits: waits.length, on, queue: waits};
	}

	function wordsOf(run, place) {
		const n = run.count(state.pass, place), name = run.raw.channels[place][1];
		const when = state.pass < 0 ? run.nPasses > 1 ? "all passes" : "" : "pass " + state.pass;
		if (state.cycle > 0) {
			const now = nowOf(run, place), list = (all) => all.map((it) => it.i).join(", ");
			return name + ", cycle " + state.cycle + "\n" + (now.on.length ? "message " + list(now.on) : "idle") +
				(now.queue.length ? "\nwaiting: message " + list(now.queue) : "");
		}
		const lines = [name + (when ? ", " + when : ""), plural(n.messages, "message") +
			(state.pass < 0 && run.nPasses > 1 && n.most !== n.messages ? ", at most " + n.most + " in a pass" : ""),
			plural(n.flits, "flit")];
		if (n.blocked)
			lines.push("headers waited " + plural(n.blocked, "cycle"));
		if (n.use)
			lines.push("in use " + percent(n.use) + " of the cycles");
		if (n.differs)
			lines.push("≠ not as predicted");
		return lines.join("\n");
	}

	function paintAll() {
		const values = figures.map((_, k) => Array.from({length: runs[k].nChannels}, (_, place) => valueOf(runs[k], place)));
		let most = 1;
		values.forEach((list, k) => list.forEach((v, place) => {
			if (!runs[k].isLocal(place) && figures[k].parts.has(place))
				most = Math.max(most, v.value);
		}));
		most = state.mode === "use" && !state.cycle ? 100 : most;
		const way = state.kind === "m" ? new Set(runs[state.run].way(state.chosen)) : new Set();
		figures.forEach((f, k) => {
			for (const [place, {shapes, texts}] of f.parts)
				paint(f, shapes, texts, values[k][place], most, state.run === k &&
					(way.has(place) || (state.kind === "c" && state.chosen === place)));
		});
		drawScale(most);
	}

	function paint(f, shapes, texts, v, most, isChosen) {
		const colour = state.cycle > 0 ? v.on.length ? page.colours[12] : v.waits ? page.colours[4] : page.idle : colourOf(v.value, most);
		const isMost = !state.cycle && v.value === most && v.value > 1;
		for (const element of shapes) {
			element.setAttribute(element.dataset.paint, colour);
			element.classList.toggle("most", isMost);
			element.classList.toggle("waits", Boolean(v.waits));
			element.classList.toggle("differs", Boolean(v.differs));
			element.classList.toggle("chosen", isChosen);
			if (element.dataset.paint === "stroke")
				element.setAttribute("stroke-width", v.value > 0 || v.waits ? f.thick : f.thin);
			else if (element.dataset.edge)
				element.removeAttribute("stroke");
		}
		for (const element of texts) {
			element.textContent = v.text || "";
			element.setAttribute("fill", inkOn(colour));
		}
	}

	// The scale beneath the pictures.
	const scale = make("p", {id: "scale"});
	function drawScale(most) {
		const chip = (colour, text) => {
			const it = make("span", {class: colour === page.idle ? "chip idle" : "chip"}, text);
			it.style.background = colour;
			it.style.color = inkOn(colour);
			return it;
		};
		if (state.cycle > 0) {
			scale.replaceChildren("in this cycle: ", chip(page.colours[12], "carries a message"), chip(page.colours[4], "+1"),
				" a header waits for it (dashed) ", chip(page.idle, "idle"));
			return;
		}
		const what = {load: "messages on a channel in one pass", wait: "cycles in which headers waited", use: "percent of the cycles in use"};
		const steps = [...new Set([0, 1, ...[1, 2, 3, 4].map((k) => Math.round(Math.pow(most, k / 4)))])].sort((a, b) => a - b);
		scale.replaceChildren(what[state.mode] + ": ", ...steps.map((n) => chip(colourOf(n, most), n)),
			" outlined: the most" + (runs.some((r) => r.differs.size) ? "; dashed: not as predicted" : ""));
	}

	// --- Time ---

	const whereText = make("output", {id: "where"});
	const slider = make("input", {type: "range", id: "time", min: "0", "aria-label": "time", input: () => goTo(+slider.value)});
	const position = () => state.unit === "pass" ? state.pass + 1 : state.cycle;
	const lastPosition = () => state.unit === "pass" ? nPasses : cycleCount();

	function goTo(at) {
		at = Math.max(0, Math.min(lastPosition(), at));
		if (state.unit === "pass")
			[state.pass, state.cycle] = [at - 1, 0];
		else
			state.cycle = at;
		refresh();
	}

	function refresh() {
		slider.max = lastPosition();
		slider.value = position();
		const pass = nPasses === 1 ? "the pass" : state.pass < 0 ? "all " + nPasses + " passes" : "pass " + state.pass + " of 0 to " + (nPasses - 1);
		whereText.textContent = pass + (state.cycle ? ", cycle " + state.cycle + " of " + cycleCount()
			: cycleCount() > 1 ? ", " + cyclesText() + " cycles" : "");
		slider.setAttribute("aria-valuetext", whereText.textContent);
		paintAll();
		fillLists();
	}

	function cyclesText() {
		return [...new Set(runs.map((r) => r.cyclesOf(state.pass)))].join(" and ");
	}

	function play(on) {
		clearInterval(state.timer);
		state.timer = 0;
		if (on) {
			if (position() >= lastPosition())
				goTo(0);
			state.timer = setInterval(() => position() >= lastPosition() ? play(false) : goTo(position() + 1), 1000 / state.speed);
		}
		playButton.textContent = on ? "❚❚ stop" : "▶ play";
	}

	function choose(name, label, options, set) {
		return make("label", {}, label + " ", make("select", {id: name, change: (event) => set(event.target.value)},
			...options.map(([value, text]) => make("option", {value}, text))));
	}

	const playButton = make("button", {type: "button", id: "play", click: () => play(!state.timer)}, "▶ play");
	const units = [["pass", "pass by pass"]];
	if (hasTimes)
		units.push(["cycle", "cycle by cycle"]);
	const bar = make("div", {id: "controls", role: "group", "aria-label": "what is shown"},
		choose("mode", "colours", [["load", "load"], ["wait", "waiting"], ["use", "utilisation"]], (v) => { state.mode = v; refresh(); }),
		choose("unit", "time", units, (v) => {
			play(false);
			state.unit = v;
			if (v === "cycle" && state.pass < 0 && !runs.every((r) => r.raw.free))
				state.pass = 0;
			state.cycle = v === "cycle" ? 1 : 0;
			refresh();
		}),
		make("button", {type: "button", id: "back", "aria-label": "one step back", click: () => { play(false); goTo(position() - 1); }}, "◀"),
		playButton,
		make("button", {type: "button", id: "on", "aria-label": "one step on", click: () => { play(false); goTo(position() + 1); }}, "▶"),
		choose("speed", "speed", [[1, "1/s"], [4, "4/s"], [16, "16/s"], [50, "50/s"]], (v) => { state.speed = +v; if (state.timer) play(true); }),
		slider, whereText);
	bar.querySelector("#speed").value = "4";

	// --- What is chosen ---

	const detail = make("section", {id: "detail", "aria-live": "polite"});

	function messageButton(run, i) {
		return make("button", {type: "button", class: "link", click: () => chooseMessage(run, i)}, "message " + i);
	}

	function channelButton(run, place) {
		return make("button", {type: "button", class: "link", click: () => chooseChannel(run, place)}, runs[run].raw.channels[place][1]);
	}

	function joined(items) {
		return items.flatMap((item, k) => k ? [", ", item] : [item]);
	}

	function ends(run, i) {
		const r = runs[run], from = r.source(i), to = r.destination(i);
		const text = from + " to " + to;
		return r.raw.map ? text + " (node " + r.node(from) + " to node " + r.node(to) + ")" : text;
	}

	function table(heads, rows) {
		return make("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": heads.join(", ")}, make("table", {},
			make("thead", {}, make("tr", {}, ...heads.map((h) => make("th", {scope: "col"}, h)))),
			make("tbody", {}, ...rows.map((cells) => make("tr", {}, ...cells.map((cell) => make("td", {}, ...[cell].flat())))))));
	}

	function close() {
		state.kind = "";
		detail.replaceChildren();
		paintAll();
	}

	function showDetail(title, ...inside) {
		detail.replaceChildren(make("h2", {}, title, " ", make("button", {type: "button", class: "close", "aria-label": "close", click: close}, "×")), ...inside);
		paintAll();
	}

	function chooseMessage(run, i) {
		const r = runs[run], pass = r.passOf[i], found = r.found.get(i), lines = [];
		Object.assign(state, {run, kind: "m", chosen: i});
		lines.push(make("p", {}, "processor " + ends(run, i) + ", " + plural(r.flits(i), "flit") + ", pass " + pass + ", " + r.state(i)));
		if (found)
			lines.push(make("p", {class: "bad"}, "≠ " + found[1] + ": header in cycle " + show(found[3]) + ", tail in " + show(found[4]) +
				(r.times(i) ? "; predicted " + r.times(i).header + " and " + r.times(i).tail : "")));
		const crossings = r.crossings(i);
		if (crossings && crossings.length)
			lines.push(table(["channel", "asks", "header", "tail", "waits", "for"], crossings.map((c) => [channelButton(run, c.place),
				c.asked, c.header, c.tail, c.header - c.asked,
				c.header > c.asked ? joined(r.reasons(i, c).slice(0, 8).map((j) => messageButton(run, j))) : ""])));
		else if (r.words[i] !== "-")
			lines.push(make("p", {}, "way: ", ...joined(r.way(i).map((place) => channelButton(run, place)))),
				make("p", {}, r.known ? "when it crossed each channel is left out: there are too many messages that wait" : r.raw.stuck));
		showDetail((runs.length > 1 ? r.title + ": " : "") + "message " + i, ...lines);
	}

	function chooseChannel(run, place) {
		const r = runs[run], passes = state.pass < 0 ? Array.from({length: r.nPasses}, (_, p) => p) : [state.pass];
		const rows = [];
		let left = 500;
		Object.assign(state, {run, kind: "c", chosen: place});
		for (const pass of passes) {
			if (left <= 0 || !r.load[pass * r.nChannels + place])
				continue;
			const times = r.users(pass)[place].filter((it) => r.passOf[it.i] === pass);
			const list = times.length ? times : r.messagesOf(pass).filter((i) => r.way(i).includes(place)).map((i) => ({i}));
			for (const it of list.slice(0, left))
				rows.push([messageButton(run, it.i), ends(run, it.i), pass, show(it.asked), show(it.header), show(it.tail)]);
			left -= list.length;
		}
		showDetail((runs.length > 1 ? r.title + ": " : "") + r.raw.channels[place][1],
			make("p", {}, wordsOf(r, place).split("\n").slice(1).join(", ")),
			rows.length ? table(["message", "from, to", "pass", "asks", "header", "tail"], rows) : make("p", {}, "nobody uses it"),
			left < 0 ? make("p", {}, "and more") : null);
	}

	// --- Pointing at channels ---

	figures.forEach((f, k) => {
		const placeAt = (target) => {
			const it = target.closest && target.closest("[data-c]");
			return it ? runs[k].placeOf.get(+it.getAttribute("data-c")) : undefined;
		};
		const order = [...f.parts.keys()].sort((a, b) => a - b);
		const point = (place) => {
			f.parts.get(f.focus)?.shapes.forEach((s) => s.classList.remove("pointed"));
			f.focus = place;
			f.parts.get(place)?.shapes.forEach((s) => s.classList.add("pointed"));
			showTip(f.parts.get(place)?.shapes[0] || f.svg, f.parts.has(place) ? wordsOf(runs[k], place) : "");
		};
		if (!order.length)
			return;
		f.svg.setAttribute("tabindex", "0");
		f.svg.setAttribute("aria-label", "network" + (runs.length > 1 ? ", " + runs[k].title : "") +
			": arrow keys go from channel to channel, Enter tells who uses it");
		f.svg.addEventListener("mouseover", (event) => { const place = placeAt(event.target); if (place !== undefined) point(place); });
		f.svg.addEventListener("mouseout", () => point(-1));
		f.svg.addEventListener("blur", () => point(-1));
		f.svg.addEventListener("click", (event) => { const place = placeAt(event.target); if (place !== undefined) chooseChannel(k, place); });
		f.svg.addEventListener("keydown", (event) => {
			const way = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1}[event.key];
			if (way) {
				const now = order.indexOf(f.focus);
				point(order[(now + way + order.length) % order.length]);
				event.preventDefault();
			} else if (event.key === "Enter" && f.focus >= 0) {
				chooseChannel(k, f.focus);
			} else if (event.key === "Escape") {
				point(-1);
				close();
			}
		});
	});

	// --- Lists ---

	function messageColumns(run) {
		const r = runs[run], times = (i, part) => { const t = r.times(i); return t ? t[part] : null; };
		const found = (i, k, otherwise) => r.found.has(i) ? r.found.get(i)[k] : otherwise;
		const columns = [{name: "message", of: (i) => i}, {name: "pass", of: (i) => r.passOf[i]},
			{name: "from", of: (i) => r.source(i)}, {name: "to", of: (i) => r.destination(i)}];
		if (r.raw.map)
			columns.push({name: "from node", of: (i) => r.node(r.source(i))}, {name: "to node", of: (i) => r.node(r.destination(i))});
		columns.push({name: "flits", of: (i) => r.flits(i)}, {name: "hops", of: (i) => Math.max(0, r.way(i).length - 2)});
		if (r.known || r.raw.measured)
			columns.push({name: "offered", of: (i) => found(i, 2, r.known && r.words[i] !== "-" ? r.offered(i) : null)},
				{name: "header", of: (i) => found(i, 3, times(i, "header"))}, {name: "tail", of: (i) => found(i, 4, times(i, "tail"))},
				{name: "waits", of: (i) => r.found.has(i) ? null : r.waited(i)});
		columns.push({name: "state", of: (i) => r.state(i), left: true});
		return columns;
	}

	function channelColumns(run) {
		const r = runs[run], n = (place) => r.count(state.pass, place);
		return [{name: "channel", of: (place) => r.raw.channels[place][1], left: true},
			{name: "group", of: (place) => r.raw.groups[r.raw.channels[place][2]], left: true},
			{name: "messages", of: (place) => n(place).messages}, {name: "in one pass", of: (place) => n(place).most},
			{name: "flits", of: (place) => n(place).flits}, {name: "waiting", of: (place) => n(place).blocked},
			{name: "in use, %", of: (place) => +(100 * n(place).use).toFixed(1)}];
	}

	const lists = make("section", {id: "lists"});
	const shownLists = [];
	function fillLists() {
		for (const {run, kind, list} of shownLists)
			if (list.pass !== state.pass || list.fresh) {
				list.pass = state.pass;
				list.fresh = false;
				list.replace(kind === "m" ? runs[run].messagesOf(Math.min(state.pass, runs[run].nPasses - 1))
					: Array.from({length: runs[run].nChannels}, (_, place) => place));
			}
	}

	runs.forEach((r, run) => {
		const of = runs.length > 1 ? " of " + r.title : "";
		const messages = makeList("messages" + of, messageColumns(run), [], (i) => chooseMessage(run, i), (i) => r.found.has(i));
		const channels = makeList("channels" + of, channelColumns(run), [], (place) => chooseChannel(run, place),
			(place) => r.count(state.pass, place).differs);
		shownLists.push({run, kind: "m", list: messages}, {run, kind: "c", list: channels});
		messages.fresh = channels.fresh = true;
		lists.append(make("details", {open: run === 0}, make("summary", {}, "Messages" + of), messages.element),
			make("details", {open: run === 0}, make("summary", {}, "Channels" + of), channels.element));
	});

	const panels = byId("panels"), stage = make("div", {id: "stage", class: runs.length > 1 ? "two" : "one"});
	const side = make("div", {id: "side"}, detail);
	panels.before(stage);
	stage.append(make("div", {}, bar, panels, scale), side);
	stage.after(lists);
	refresh();
}

// --- What a report says in numbers ----------------------------------------------------------------------------------

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

// --- Curves of a sweep ----------------------------------------------------------------------------------------------

// Numbers of a row by path: "latency.mean".
function flat(object, before, out) {
	for (const [name, value] of Object.entries(object))
		if (value && typeof value === "object" && !Array.isArray(value))
			flat(value, before + name + ".", out);
		else if (!Array.isArray(value))
			out[before + name] = value;
	return out;
}

// The words that tell a curve from the others.
function namesOf(curves) {
	const parts = ["fabric", "map", "planner", "rule", "machine", "fail_percent"];
	const vary = parts.filter((part) => new Set(curves.map((c) => show(c[part]))).size > 1);
	return curves.map((c) => vary.length ? vary.map((part) => show(c[part]) + (part === "fail_percent" ? "% failed" : "")).join(", ") : c.fabric);
}

// Series of points, each a flat object, of a report; null: it has none. x: what may stand below; y: beside.
function seriesOf(it) {
	if (Array.isArray(it.curves) && it.curves.length) {
		const names = namesOf(it.curves), over = ["load", "accepted", "fail_percent"];
		return {x: over, y: ["latency.mean", "latency.p50", "latency.p95", "latency.p99", "accepted", "finish.cycles"],
			list: it.curves.map((c, k) => ({name: names[k], points: c.points.map((p) => ({raw: p, ...flat({fail_percent: c.fail_percent, ...p}, "", {})}))}))};
	}
	if (!Array.isArray(it.runs) || !it.runs.length)
		return null;
	const lengths = new Set(it.runs.map((r) => r.flits_asked)).size > 1, by = new Map();
	for (const r of it.runs) {
		const kind = lengths ? r.fabric : r.fabric.split(":")[0];
		const name = new Set(it.runs.map((x) => x.machine)).size > 1 ? kind + ", " + r.machine : kind;
		if (!by.has(name))
			by.set(name, []);
		by.get(name).push({raw: r, ...flat(r, "", {})});
	}
	return {x: lengths ? ["flits_asked", "nodes"] : ["nodes", "flits_asked", "fail_percent"],
		y: ["measured_cycles", "predicted_cycles", "back_to_back_cycles", "passes", "contention"],
		list: [...by].map(([name, points]) => ({name, points}))};
}

function ticksOf(least, most, isLog) {
	const ticks = [];
	if (isLog) {
		for (let e = Math.floor(Math.log10(least)); e <= Math.ceil(Math.log10(most)); e++)
			for (const k of most / least > 200 ? [1] : [1, 2, 5])
				ticks.push(k * Math.pow(10, e));
	} else {
		const raw = (most - least) / 6 || 1, unit = Math.pow(10, Math.floor(Math.log10(raw)));
		const step = unit * [1, 2, 5, 10].find((k) => k * unit >= raw);
		for (let t = Math.ceil(least / step - 1e-6) * step; t <= most + step / 1e6; t += step)
			ticks.push(t);
	}
	return ticks.filter((t) => t >= least - Math.abs(least) * 1e-3 - 1e-12 && t <= most * 1.001).map((t) => +t.toPrecision(6));
}

const SHAPES = ["M-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0", "M-4-4h8v8h-8z", "M0-5l5 9h-10z", "M0-5.5l5.5 5.5l-5.5 5.5l-5.5-5.5z",
	"M-5-2h3v-3h4v3h3v4h-3v3h-4v-3h-3z", "M0 5l5-9h-10z"];
const DASHES = [null, "7 4", "2 3", "9 3 2 3", "12 4", "4 2 1 2"];

function viewCurves(series) {
	const given = (name) => series.list.some((s) => s.points.some((p) => isNumber(p[name])));
	const state = {x: series.x.find((name) => given(name) && new Set(series.list.flatMap((s) => s.points.map((p) => p[name]))).size > 1) ||
		series.x.find(given), y: series.y.find(given), log: false, hidden: new Set(), width: 0};
	if (!state.x || !state.y)
		return;
	const holder = make("figure", {id: "curves"}), detail = make("section", {id: "detail", "aria-live": "polite"});

	function points() {
		return series.list.map((s) => s.points.filter((p) => isNumber(p[state.x]) && isNumber(p[state.y]) && (!state.log || p[state.y] > 0)));
	}

	function draw() {
		const width = Math.max(300, Math.min(1400, holder.clientWidth || 800)), height = Math.round(Math.min(560, Math.max(300, width * 0.56)));
		const left = 62, right = 16, top = 14, bottom = 46;
		state.width = holder.clientWidth;
		const all = points(), seen = all.filter((_, k) => !state.hidden.has(k)).flat();
		if (!seen.length) {
			holder.replaceChildren(make("p", {}, "nothing is shown"));
			return;
		}
		const half = (p) => p[state.y + "_half_width"] || 0;
		const xs = seen.map((p) => p[state.x]), lows = seen.map((p) => p[state.y] - half(p)), highs = seen.map((p) => p[state.y] + half(p));
		const x0 = Math.min(...xs), x1 = Math.max(...xs, x0 + 1e-9);
		const y0 = state.log ? Math.min(...seen.map((p) => p[state.y])) * 0.9 : Math.min(0, ...lows), y1 = Math.max(...highs) * 1.04 || 1;
		const toX = (x) => left + (x - x0) / (x1 - x0) * (width - left - right);
		const toY = (y) => {
			const part = state.log ? Math.log(Math.max(y, y0) / y0) / Math.log(y1 / y0) : (y - y0) / (y1 - y0);
			return height - bottom - part * (height - top - bottom);
		};
		const svg = makeSvg("svg", {viewBox: "0 0 " + width + " " + height, width, height, role: "group", "aria-label": state.y + " over " + state.x});
		for (const t of ticksOf(y0, y1, state.log))
			svg.append(makeSvg("path", {class: "grid", d: "M" + left + " " + toY(t) + "H" + (width - right)}),
				makeSvg("text", {x: left - 6, y: toY(t) + 4, "text-anchor": "end"}, t));
		for (const t of ticksOf(x0, x1, false))
			svg.append(makeSvg("path", {class: "grid", d: "M" + toX(t) + " " + top + "V" + (height - bottom)}),
				makeSvg("text", {x: toX(t), y: height - bottom + 18, "text-anchor": "middle"}, t));
		svg.append(makeSvg("text", {class: "axis", x: (left + width - right) / 2, y: height - 6, "text-anchor": "middle"}, state.x.replace(/[._]/g, " ")),
			makeSvg("text", {class: "axis", transform: "translate(14 " + (height - bottom + top) / 2 + ")rotate(-90)", "text-anchor": "middle"}, state.y.replace(/[._]/g, " ")));
		all.forEach((list, k) => {
			if (state.hidden.has(k) || !list.length)
				return;
			const line = list.map((p) => toX(p[state.x]) + " " + toY(p[state.y]));
			if (list.some(half))
				svg.append(makeSvg("path", {class: "band s" + k % 6, d: "M" + list.map((p) => toX(p[state.x]) + " " + toY(p[state.y] + half(p))).join("L") +
					"L" + list.slice().reverse().map((p) => toX(p[state.x]) + " " + toY(Math.max(p[state.y] - half(p), y0))).join("L") + "z"}));
			svg.append(makeSvg("path", {class: "line s" + k % 6, "stroke-dasharray": DASHES[k % 6], d: "M" + line.join("L")}));
			list.forEach((p) => svg.append(dot(p, k, toX(p[state.x]), toY(p[state.y]))));
		});
		holder.replaceChildren(svg);
	}

	function dot(p, k, x, y) {
		const half = p[state.y + "_half_width"];
		const words = series.list[k].name + "\n" + state.x.replace(/[._]/g, " ") + " " + show(p[state.x]) + "\n" + state.y.replace(/[._]/g, " ") + " " + show(p[state.y]) +
			(isNumber(half) ? " ± " + show(half) : "") + (p.saturated ? "\nsaturated" : "");
		const it = makeSvg("path", {class: "dot s" + k % 6 + (p.saturated ? " saturated" : ""), d: SHAPES[k % 6], transform: "translate(" + x + " " + y + ")",
			tabindex: "0", role: "button", "aria-label": words.replace(/\n/g, ", ")});
		const tell = () => showTip(it, words), hide = () => showTip(it, "");
		const all = () => showPoint(series.list[k].name, p);
		it.addEventListener("mouseenter", tell);
		it.addEventListener("focus", tell);
		it.addEventListener("mouseleave", hide);
		it.addEventListener("blur", hide);
		it.addEventListener("click", all);
		it.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") { all(); event.preventDefault(); } });
		return it;
	}

	// All numbers of a point, and the map of its channels if the sweep has one.
	function showPoint(name, p) {
		const rows = Object.entries(p).filter(([key]) => key !== "raw" && key !== "by");
		detail.replaceChildren(make("h2", {}, name + ", " + state.x.replace(/[._]/g, " ") + " " + show(p[state.x]) + " ",
			make("button", {type: "button", class: "close", "aria-label": "close", click: () => detail.replaceChildren()}, "×")),
		...(Array.isArray(p.raw.by) ? [heat(p.raw.by)] : []),
		make("dl", {class: "numbers"}, ...rows.flatMap(([key, value]) => [make("dt", {}, key.replace(/[._]/g, " ")), make("dd", {}, value === null || value === undefined ? "–" : String(value))])));
	}

	// A patch for each channel and window, coloured by what it carries; other keys as a list.
	function heat(by) {
		const isChannels = by.some((row) => row.window !== undefined);
		const columns = Object.keys(flat(by[0] || {}, "", {}));
		const list = makeList("figures by key", columns.map((name) => ({name: name.replace(/[._]/g, " "), of: (row) => pick(row, name), left: name === "key"})), by);
		if (!isChannels)
			return list.element;
		const keys = [...new Set(by.map((row) => row.key))], windows = [...new Set(by.map((row) => row.window))];
		const most = Math.max(...by.map((row) => row.flits_per_cycle || 0)), SIDE = windows.length > 60 ? 6 : 14, room = 120;
		const svg = makeSvg("svg", {class: "heat", width: room + windows.length * SIDE, height: keys.length * 14, role: "img", "aria-label": "flits per cycle of each channel in each window"});
		const at = new Map(keys.map((key, k) => [key, k])), column = new Map(windows.map((w, k) => [w, k]));
		keys.forEach((key, k) => svg.append(makeSvg("text", {x: room - 6, y: k * 14 + 11, "text-anchor": "end"}, key)));
		for (const row of by) {
			const part = most ? row.flits_per_cycle / most : 0;
			const patch = makeSvg("rect", {x: room + column.get(row.window) * SIDE, y: at.get(row.key) * 14, width: SIDE - 1, height: 13,
				fill: part > 0 ? page.colours[Math.round(part * (page.colours.length - 1))] : page.idle});
			patch.addEventListener("mouseenter", () => showTip(patch, row.key + ", from cycle " + row.window + "\n" + show(row.flits_per_cycle) +
				" flits per cycle\n" + plural(row.messages, "message") + "\nblocked " + show(row.blocked)));
			patch.addEventListener("mouseleave", () => showTip(patch, ""));
			svg.append(patch);
		}
		return make("div", {}, make("p", {}, "flits per cycle of each channel, window by window; darkest: " + show(most)),
			make("div", {class: "scroll", tabindex: "0", role: "region", "aria-label": "map of the channels"}, svg), list.element);
	}

	const named = (name) => make("option", {value: name, selected: name === state.x || name === state.y}, name.replace(/[._]/g, " "));
	const select = (label, names, set) => make("label", {}, label + " ", make("select", {change: (event) => { set(event.target.value); draw(); }}, ...names.map(named)));
	const xs = series.x.filter(given), ys = series.y.filter(given);
	const bar = make("div", {id: "controls", role: "group", "aria-label": "what is drawn"},
		select("of", ys, (v) => { state.y = v; }), select("over", xs, (v) => { state.x = v; }),
		make("label", {}, make("input", {type: "checkbox", id: "log", change: (event) => { state.log = event.target.checked; draw(); }}), " logarithmic"));
	const key = make("div", {id: "key", role: "group", "aria-label": "series"}, ...series.list.map((s, k) => make("label", {},
		make("input", {type: "checkbox", checked: true, change: (event) => { state.hidden[event.target.checked ? "delete" : "add"](k); draw(); }}),
		makeSvg("svg", {width: 44, height: 14, "aria-hidden": "true"}, makeSvg("path", {class: "line s" + k % 6, "stroke-dasharray": DASHES[k % 6], d: "M2 7H42"}),
			makeSvg("path", {class: "dot s" + k % 6, d: SHAPES[k % 6], transform: "translate(22 7)"})), s.name)));
	const plain = byId("plain-curves");
	const place = plain || printed || main.lastElementChild;
	place.before(bar, holder, key, detail);
	plain?.remove();
	new ResizeObserver(() => { if (holder.clientWidth !== state.width) draw(); }).observe(holder);
	draw();
	const rows = series.list.flatMap((s) => s.points.map((p) => ({series: s.name, ...p})));
	const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => name !== "raw" && name !== "by" &&
		rows.some((row) => row[name] !== null && row[name] !== undefined));
	const list = makeList("rows", names.map((name) => ({name: name.replace(/[._]/g, " "), of: (row) => row[name], left: rows.some((row) => typeof row[name] === "string")})), rows, null,
		(row) => row.verdict === "fail");
	byId("plain-rows")?.remove();
	detail.after(make("section", {id: "lists"}, make("h2", {}, "Rows"), list.element));
}

// --- Any other report -----------------------------------------------------------------------------------------------

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
else if (page.runs.length && rules && rules.length)
	viewCircles(new Run(page.runs[0]), rules);
if (reports.length)
	viewSums(reports, reports.length > 1 ? ["identity", "best"] : [""]);
else if (series)
	viewCurves(series);
else
	viewAny(report);
const asked = (report.request?.command || []).map((word) => /^[\w:,.=/+%>-]+$/.test(word) ? word : "'" + word + "'").join(" ");
if (asked)
	document.querySelector("header").append(make("p", {class: "command"}, make("code", {}, asked)));
})();
