// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// Sweeps: curves, points, maps of channels.

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
	const lengths = new Set(it.runs.map((r) => r.flits_asked).filter(isNumber)).size > 1, by = new Map();
	const darks = it.runs.map((r) => r.dark).filter(isNumber), ends = [...new Set([Math.min(...darks), Math.max(...darks)])];
	for (const r of it.runs) {
		const kind = lengths || darks.length ? r.fabric : r.fabric.split(":")[0];
		let name = new Set(it.runs.map((x) => x.machine)).size > 1 ? kind + ", " + r.machine : kind;
		name += lengths && isNumber(r.dark) ? ", dark " + r.dark : "";
		if (!by.has(name))
			by.set(name, []);
		const row = {raw: r, ...flat(r, "", {})};
		by.get(name).push(row);
		if (darks.length && !isNumber(r.dark)) // the same whatever switches of mirrors need
			by.get(name).push(...ends.map((dark) => ({...row, dark, copy: true})));
	}
	return {x: lengths ? ["flits_asked", "nodes", "dark"] : ["dark", "nodes", "flits_asked", "fail_percent"],
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
		const rows = Object.entries(p).filter(([key]) => !["raw", "by", "copy"].includes(key));
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
		svg.append(makeSvg("rect", {x: room, y: 0, width: windows.length * SIDE, height: keys.length * 14, fill: page.idle}));
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
	const rows = series.list.flatMap((s) => s.points.filter((p) => !p.copy).map((p) => ({series: s.name, ...p})));
	const names = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => name !== "raw" && name !== "by" &&
		rows.some((row) => row[name] !== null && row[name] !== undefined));
	const list = makeList("rows", names.map((name) => ({name: name.replace(/[._]/g, " "), of: (row) => row[name], left: rows.some((row) => typeof row[name] === "string")})), rows, null,
		(row) => row.verdict === "fail");
	byId("plain-rows")?.remove();
	detail.after(make("section", {id: "lists"}, make("h2", {}, "Rows"), list.element));
}
