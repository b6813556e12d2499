// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Runs and plans: networks over time, what is chosen, lists of messages and channels.

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

	// The value that a channel shows now: a number, its share of the scale, and words.
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

	// Nodes that compute, in a run of programs: a row for each of the first ones, as wide as there is room, and where time stands.
	const ROWS = 64, ROW = 12, LABEL = 60, SPAN = Math.max(200, Math.min(800, (innerWidth < 900 ? innerWidth : innerWidth / 2) - LABEL - 40));
	const timelines = runs.filter((r) => r.busy.length).map((r) => {
		const cycles = Math.max(r.cyclesOf(-1), ...r.busy.map((b) => b[2])), nodes = [...new Set(r.busy.map((b) => b[0]))].sort((a, b) => a - b);
		const toX = (cycle) => LABEL + cycle / cycles * SPAN, shown = nodes.slice(0, ROWS), row = new Map(shown.map((node, k) => [node, k]));
		const cursor = makeSvg("path", {class: "cursor", d: ""});
		const svg = makeSvg("svg", {viewBox: "0 0 " + (LABEL + SPAN + 8) + " " + (shown.length * ROW + 4), role: "img",
			"aria-label": plural(nodes.length, "node") + " that compute, over " + cycles + " cycles"});
		shown.forEach((node, k) => svg.append(makeSvg("text", {x: LABEL - 6, y: k * ROW + 9.5, "text-anchor": "end", "font-size": 10}, "node " + node)));
		for (const [node, first, last] of r.busy)
			if (row.has(node)) {
				const bar = makeSvg("rect", {class: "busy", x: toX(first - 1), y: row.get(node) * ROW + 1, width: toX(last) - toX(first - 1), height: ROW - 2});
				bar.addEventListener("mouseenter", () => showTip(bar, "node " + node + " computes, cycles " + first + " to " + last));
				bar.addEventListener("mouseleave", () => showTip(bar, ""));
				svg.append(bar);
			}
		svg.append(cursor);
		const says = make("p", {}, "");
		return {element: make("figure", {class: "busy-nodes"}, svg, says), draw() {
			const now = r.busy.filter((b) => b[1] <= state.cycle && b[2] >= state.cycle).map((b) => b[0]);
			cursor.setAttribute("d", state.cycle ? "M" + toX(state.cycle - 0.5) + " 0V" + (shown.length * ROW + 4) : "");
			says.textContent = (runs.length > 1 ? r.title + ": " : "") + (!state.cycle ? plural(nodes.length, "node") + " that compute" +
				(nodes.length > ROWS ? ", the first " + ROWS + " of them" : "") + ", over " + cycles + " cycles"
				: now.length ? "in cycle " + state.cycle + " compute: " + now.sort((a, b) => a - b).join(", ") : "in cycle " + state.cycle + " no node computes");
		}};
	});

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
		timelines.forEach((it) => it.draw());
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
			rows.length ? table(["message", "from, to", "pass", "asks", "header", "tail"], rows) : make("p", {}, "no message uses it"),
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
			": arrow keys go from channel to channel, Enter shows who uses it");
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
	stage.append(make("div", {}, bar, panels, scale, ...timelines.map((it) => it.element)), side);
	stage.after(lists);
	refresh();
}
