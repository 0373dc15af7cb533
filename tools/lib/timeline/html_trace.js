// SPDX-License-Identifier: GPL-2.0
/*
 * A trace as two tables: the stretches of the tasks, each a time in one state, and the turns of the
 * CPUs, each a time in which a CPU runs one task. Nothing here knows of a page.
 *
 * A table has the lanes one behind the other. The entries of a lane are those from its first to
 * before its end, in the order of time; entry i lasts from from[i] to from[i + 1]: behind the last
 * one is one without a look, at the end of the trace. Times are in ns since the start.
 */
"use strict";

/* Kinds of records, as enum kmprof_html_record, and how much each has. */
const [FIRST, RUNS, STOPS, WOKEN, CREATED, INFERRED, TURN, LOST, SAYS, FOR] = Array(10).keys();
const SIZES = [3, 2, 4, 5, 3, 3, 2, 3, 4, 2];

/* enum kmprof_task_state */
const [ABSENT, UNKNOWN, ASLEEP, RUNNABLE, RUNNING, DEAD] = Array(6).keys();
/* enum kmprof_trace_state */
const BLOCKED = 3;

/* What is drawn, and added up. A CPU has the first three only; none: it is idle. */
const LOOKS = ["none", "unknown", "running", "runnable", "blocked", "asleep"];
const [NONE, LOOKS_UNKNOWN, LOOKS_RUNNING, LOOKS_RUNNABLE, LOOKS_BLOCKED, LOOKS_ASLEEP] =
	LOOKS.keys();

const IDLE = 0;
const NO_TASK = -1;
const NO_ENTRY = -1;

/* Calls visit(ns, kind, index of the first of what it has) for each record. */
function eachRecord(records, visit) {
	let ns = 0;

	for (let at = 2; at <= records.length; at += 2 + SIZES[records[at - 1]]) {
		ns += records[at - 2];
		visit(ns, records[at - 1], at);
	}
}

function lookOf(state, reason) {
	switch (state) {
	case RUNNING:
		return LOOKS_RUNNING;
	case RUNNABLE:
		return LOOKS_RUNNABLE;
	case ASLEEP:
		return reason === BLOCKED ? LOOKS_BLOCKED : LOOKS_ASLEEP;
	case UNKNOWN:
		return LOOKS_UNKNOWN;
	}
	return NONE;
}

/* The state that a record of a task begins. */
function stateOf(records, at) {
	switch (records[at - 1]) {
	case RUNS:
		return RUNNING;
	case WOKEN:
	case CREATED:
		return RUNNABLE;
	}
	return records[at + 1];
}

/* The CPU that a record puts a task on, or -1. */
function startsOn(records, at) {
	const kind = records[at - 1];

	if (kind === RUNS)
		return records[at + 1];
	return kind === INFERRED && records[at + 1] === RUNNING ? records[at + 2] : -1;
}

/* An empty table, with room for so many entries in each lane. */
function makeTable(rooms, looks) {
	const size = rooms.reduce((sum, room) => sum + room + 1, 0);
	let next = 0;

	return {
		lanes: rooms.map((room) => {
			const first = next;
			next += room + 1;
			return { first, end: first };
		}),
		from: new Float64Array(size),
		look: new Uint8Array(size),
		/* By look: how long it was so in the entries of the lane before. */
		before: LOOKS.map((_, look) =>
			looks.includes(look) ? new Float64Array(size) : null),
	};
}

/* How many entries each lane can have: a turn is also unknown at first. */
function countEntries(records, nrTasks, nrCpus) {
	const stretches = Array(nrTasks).fill(0), turns = Array(nrCpus).fill(1);

	eachRecord(records, (ns, kind, at) => {
		if (kind < TURN)
			stretches[records[at]]++;
		if (kind === TURN)
			turns[records[at]]++;
		else if (kind < TURN && startsOn(records, at) >= 0)
			turns[startsOn(records, at)]++;
	});
	return { stretches, turns };
}

function addStretch(trace, ns, at) {
	const table = trace.stretches;
	const lane = table.lanes[trace.records[at]];
	const reason = trace.records[at - 1] === STOPS ? trace.records[at + 2] : -1;

	table.from[lane.end] = ns;
	table.at[lane.end] = at;
	table.look[lane.end++] = lookOf(stateOf(trace.records, at), reason);
}

function lookOfTurn(task) {
	if (task === NO_TASK)
		return LOOKS_UNKNOWN;
	return task === IDLE ? NONE : LOOKS_RUNNING;
}

/* A turn of no time is none. */
function addTurn(trace, ns, cpu, task) {
	const table = trace.turns;
	const lane = table.lanes[cpu];
	const last = lane.end - 1;

	if (lane.end > lane.first && table.task[last] === task)
		return;
	if (lane.end === lane.first || table.from[last] < ns)
		lane.end++;
	const entry = lane.end - 1;
	table.from[entry] = ns;
	table.task[entry] = task;
	table.stretch[entry] = task > IDLE ? trace.stretches.lanes[task].end - 1 : NO_ENTRY;
	table.look[entry] = lookOfTurn(task);
}

/* What is no entry of a lane. */
function addOther(trace, ns, kind, [a, b, c, d]) {
	if (kind === TURN)
		addTurn(trace, ns, a, b);
	else if (kind === LOST)
		trace.losses.push({ cpu: a, count: b, from: ns - c, to: ns });
	else if (kind === SAYS)
		trace.notes.push({ ns, cpu: a, task: b, type: c, text: d });
	else if (kind === FOR)
		trace.locks.set(trace.stretches.lanes[a].end - 1, b);
}

function addEntries(trace) {
	const { records } = trace;

	for (let cpu = 0; cpu < trace.cpus; cpu++)
		addTurn(trace, 0, cpu, NO_TASK);
	eachRecord(records, (ns, kind, at) => {
		if (kind >= TURN) {
			addOther(trace, ns, kind, records.slice(at, at + SIZES[kind]));
			return;
		}
		addStretch(trace, ns, at);
		if (startsOn(records, at) >= 0)
			addTurn(trace, ns, startsOn(records, at), records[at]);
	});
}

function addUp(table, ns) {
	const { from, look, before } = table;
	const timeOf = (i, what) => look[i] === what ? from[i + 1] - from[i] : 0;

	for (const { first, end } of table.lanes) {
		from[end] = ns;
		before.forEach((sums, what) => {
			for (let i = first; sums && i < end; i++)
				sums[i + 1] = sums[i] + timeOf(i, what);
		});
	}
}

/* @head, @records and @tasks: what the page has of them. Of the tasks, the idle one is first. */
function makeTrace(head, records, tasks) {
	const comms = ["idle"], tids = [0], tgids = [0];
	for (let i = 0; i < tasks.length; i += 3) {
		tids.push(tasks[i]);
		tgids.push(tasks[i + 1]);
		comms.push(tasks[i + 2]);
	}
	const rooms = countEntries(records, tids.length, head.cpus);
	const trace = { ...head, records, tids, tgids, comms, losses: [], notes: [] };

	/* The lock that a stretch of sleep is for. */
	trace.locks = new Map();
	trace.stacks = new Map(head.stacks.map(([number, ...frames]) => [number, frames]));
	trace.stretches = makeTable(rooms.stretches, [LOOKS_UNKNOWN, LOOKS_RUNNING, LOOKS_RUNNABLE,
						      LOOKS_BLOCKED, LOOKS_ASLEEP]);
	/* The record that an entry begins with. */
	trace.stretches.at = new Uint32Array(trace.stretches.from.length);
	trace.turns = makeTable(rooms.turns, [LOOKS_UNKNOWN, LOOKS_RUNNING]);
	trace.turns.task = new Int32Array(trace.turns.from.length);
	trace.turns.stretch = new Int32Array(trace.turns.from.length);
	addEntries(trace);
	addUp(trace.stretches, trace.ns);
	addUp(trace.turns, trace.ns);
	return trace;
}

/* As the text of a trace has it. */
function nameOf(trace, task) {
	if (task <= IDLE)
		return task === IDLE ? "idle" : "?";
	return (trace.comms[task] || "?") + "-" + trace.tids[task];
}

/*
 * The entry of a lane at a time: the last one that does not begin after it; the first one if all
 * do. @hint: an entry that is not behind it; the search starts there.
 */
function entryAt(table, lane, ns, hint = lane.first) {
	let low = hint, step = 1;

	while (low + step < lane.end && table.from[low + step] <= ns) {
		low += step;
		step *= 2;
	}
	let high = Math.min(low + step, lane.end);
	while (high - low > 1) {
		const middle = (low + high) >> 1;
		if (table.from[middle] <= ns)
			low = middle;
		else
			high = middle;
	}
	return low;
}

/* How long a lane had a look from its first entry on until @ns, which is in entry @i. */
function timeUntil(table, look, i, ns) {
	const end = Math.min(ns, table.from[i + 1]);

	return table.before[look][i] +
		(table.look[i] === look ? Math.max(0, end - table.from[i]) : 0);
}

/* How long a task had each look from @from to @to, by look. */
function sumsOf(trace, task, from, to) {
	const table = trace.stretches, lane = table.lanes[task];

	if (lane.first === lane.end)
		return LOOKS.map(() => 0);
	const i = entryAt(table, lane, from), j = entryAt(table, lane, to, i);
	return LOOKS.map((_, look) => table.before[look] ?
		timeUntil(table, look, j, to) - timeUntil(table, look, i, from) : 0);
}

/* All tasks that did something; those that ran longest first. */
function tasksByActivity(trace) {
	const { lanes } = trace.stretches;
	const whole = trace.tids.map((_, task) => sumsOf(trace, task, 0, trace.ns));

	return [...trace.tids.keys()].filter((task) => lanes[task].end > lanes[task].first)
		.sort((a, b) => whole[b][LOOKS_RUNNING] - whole[a][LOOKS_RUNNING] ||
			whole[b][LOOKS_RUNNABLE] - whole[a][LOOKS_RUNNABLE] || a - b);
}

/* A hue for each name: those of tasks that follow each other here are far apart. */
function huesOf(trace, tasks) {
	const hues = new Map();

	for (const task of tasks)
		if (!hues.has(trace.comms[task]))
			hues.set(trace.comms[task], Math.round(250 + hues.size * 137.5) % 360);
	return hues;
}

/* For each task, whether an expression fits its name and id. Throws a SyntaxError if it is none. */
function findTasks(trace, text) {
	const expression = new RegExp(text, "i");

	return trace.tids.map((_, task) => task > IDLE && expression.test(nameOf(trace, task)));
}

/* What each task did from @from to @to, of those that did something; as tasksByActivity(). */
function totalsOf(trace, tasks, from, to) {
	return tasks.map((task) => ({ task, sums: sumsOf(trace, task, from, to) }))
		.filter(({ sums }) => sums.some((sum) => sum > 0))
		.sort((a, b) => b.sums[LOOKS_RUNNING] - a.sums[LOOKS_RUNNING] ||
			b.sums[LOOKS_RUNNABLE] - a.sums[LOOKS_RUNNABLE] || a.task - b.task);
}
