// SPDX-FileCopyrightText: 2026 The flitloom authors
// SPDX-License-Identifier: Apache-2.0
//
// The data of a run, which report_html_run.c says how to read: ways, crossings, loads, and for whom a header waited.

const column = (list) => Array.isArray(list) ? (i) => list[i] : () => list;

// Numbers of `digits` digits to the base 36.
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
		this.busy = Array.from({length: (raw.busy || []).length / 3}, (_, k) => raw.busy.slice(3 * k, 3 * k + 3));
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

	// When message i was on which channel; null: unknown.
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

	// Sums of a channel in a pass; of all passes (-1), and the largest load.
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
