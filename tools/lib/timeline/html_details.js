// SPDX-License-Identifier: GPL-2.0
/*
 * An entry of a trace in words: what the task did, why it stopped, who has woken it, and from
 * where. Nothing here knows of a page.
 *
 * A place is what can be selected: { lane: "cpu" or "task", number, entry }.
 */
"use strict";

/* So many notes of an entry are told. */
const NOTES = 8;

const DURATIONS = [["s", 1e9], ["ms", 1e6], ["us", 1e3], ["ns", 1]];

function showDuration(ns) {
	/* With four digits, 999.96 is 1000. */
	const [name, factor] = DURATIONS.find(([, least]) => ns >= least * 0.99995) || DURATIONS[3];

	const digits = { maximumSignificantDigits: 4, useGrouping: false };
	return (ns / factor).toLocaleString("en", digits) + " " + name;
}

/* As the text of a trace has it. */
function showTime(ns) {
	const whole = Math.floor(ns / 1e9);

	return whole + "." + String(Math.round(ns - whole * 1e9)).padStart(9, "0") + " s";
}

function reasonWord(trace, reason) {
	return reason < 0 ? "" : trace.reasons[reason] ?? "state " + reason;
}

/* How a task sleeps, or nothing if that is not known: "BLOCKED for mutex rtnl_mutex". */
function sleepWords(trace, entry, reason) {
	const lock = trace.locks.get(entry);

	return lock ? (reasonWord(trace, reason) || "asleep") + " for " + lock : reasonWord(trace, reason);
}

function stackOf(trace, number) {
	return (trace.stacks.get(number) || []).map((frame) => trace.frames[frame]);
}

/* What a record tells, by names. */
function recordAt(trace, at) {
	const [a, b, c, d, e] = trace.records.slice(at, at + 5);

	switch (trace.records[at - 1]) {
	case STOPS:
		return { kind: STOPS, task: a, reason: c, stack: d };
	case WOKEN:
		return { kind: WOKEN, task: a, cpu: b, waker: c, context: d, stack: e };
	case CREATED:
		return { kind: CREATED, task: a, cpu: b, parent: c };
	case RUNS:
		return { kind: RUNS, task: a, cpu: b };
	}
	return { kind: trace.records[at - 1], task: a, cpu: c };
}

function recordOf(trace, entry) {
	return recordAt(trace, trace.stretches.at[entry]);
}

/* Where a stretch runs, as far as it is known. */
function cpuOf(trace, entry) {
	const { cpu } = recordOf(trace, entry);

	return cpu < 0 ? "?" : cpu;
}

function laneOf(trace, place) {
	return (place.lane === "cpu" ? trace.turns : trace.stretches).lanes[place.number];
}

function tableOf(trace, place) {
	return place.lane === "cpu" ? trace.turns : trace.stretches;
}

/* The stretch of the task that a place shows, or NO_ENTRY: an idle CPU has none. */
function stretchAt(trace, place) {
	return place.lane === "cpu" ? trace.turns.stretch[place.entry] : place.entry;
}

function taskAt(trace, place) {
	return place.lane === "cpu" ? trace.turns.task[place.entry] : place.number;
}

/* The next place of a lane in a direction, -1 or 1, that shows something; or the same place. */
function beside(trace, place, direction) {
	const lane = laneOf(trace, place), table = tableOf(trace, place);

	let { entry } = place;

	for (entry += direction; entry >= lane.first && entry < lane.end; entry += direction)
		if (table.look[entry] !== NONE && table.from[entry + 1] > table.from[entry])
			return { ...place, entry };
	return place;
}

/* What a task did at a time, or null. */
function placeOfTask(trace, task, ns) {
	const lane = trace.stretches.lanes[task];

	if (!lane || lane.first === lane.end || trace.stretches.from[lane.first] > ns)
		return null;
	return { lane: "task", number: task, entry: entryAt(trace.stretches, lane, ns) };
}

function placeOfCpu(trace, cpu, ns) {
	if (cpu < 0)
		return null;
	const entry = entryAt(trace.turns, trace.turns.lanes[cpu], ns);
	return { lane: "cpu", number: cpu, entry };
}

/* The same on the lane of the task, or of the CPU, or null. */
function otherOf(trace, place) {
	const entry = stretchAt(trace, place);

	if (entry === NO_ENTRY || trace.stretches.look[entry] !== LOOKS_RUNNING)
		return null;
	if (place.lane === "cpu")
		return { lane: "task", number: taskAt(trace, place), entry };
	return placeOfCpu(trace, recordOf(trace, entry).cpu, trace.stretches.from[entry]);
}

/* The stretch before or behind one, of the same task, or NO_ENTRY. */
function neighbour(trace, task, entry, direction) {
	const lane = trace.stretches.lanes[task];
	const next = entry + direction;

	return next >= lane.first && next < lane.end ? next : NO_ENTRY;
}

/* "bash-10", "a hardirq on CPU 1, which interrupted bash-10" */
function wakerWords(trace, record) {
	const name = record.waker === IDLE ? "the idle task" : nameOf(trace, record.waker);

	if (record.context === 0)
		return name;
	return "a " + trace.contexts[record.context] + " on CPU " + record.cpu +
		", which interrupted " + name;
}

/* Who has woken the task that became runnable in this entry; where to go for that. */
function wakeFacts(trace, entry) {
	const record = recordOf(trace, entry), ns = trace.stretches.from[entry];

	if (record.kind === WOKEN)
		return [{
			term: "Woken",
			text: "by " + wakerWords(trace, record) + ", at " + showTime(ns),
			stack: stackOf(trace, record.stack),
			ns,
			go: (record.waker > IDLE && placeOfTask(trace, record.waker, ns)) ||
				placeOfCpu(trace, record.cpu, ns),
		}];
	if (record.kind === CREATED)
		return [{
			term: "Created",
			text: "by " + nameOf(trace, record.parent) + ", at " + showTime(ns),
			ns,
			go: record.parent > IDLE ? placeOfTask(trace, record.parent, ns) : null,
		}];
	return [];
}

/* Why the task stopped to run before this entry. */
function stopFacts(trace, entry) {
	if (entry === NO_ENTRY)
		return [];
	const record = recordOf(trace, entry);

	if (record.kind !== STOPS)
		return [];
	return [{ term: "Stopped", text: sleepWords(trace, entry, record.reason) || "why is not known",
		  stack: stackOf(trace, record.stack) }];
}

/* The wake-up behind a sleep. */
function endFacts(trace, next) {
	const facts = next === NO_ENTRY ? [] : wakeFacts(trace, next);

	if (facts.length > 0)
		return facts;
	const isLast = next === NO_ENTRY;
	return [{
		term: "Woken",
		text: isLast ? "not before the end of the trace" : "by what is not known",
	}];
}

function runFacts(trace, task, entry) {
	const before = neighbour(trace, task, entry, -1), next = neighbour(trace, task, entry, 1);
	const { from, look } = trace.stretches;
	const facts = [];

	if (before !== NO_ENTRY && look[before] === LOOKS_RUNNABLE) {
		const waited = from[entry] - from[before];
		facts.push({ term: "Waited", text: showDuration(waited) + " for a CPU" });
		facts.push(...wakeFacts(trace, before));
	}
	if (next === NO_ENTRY)
		facts.push({ term: "Stopped", text: "not before the end of the trace" });
	else if (recordOf(trace, next).kind === STOPS)
		facts.push(...stopFacts(trace, next));
	else
		facts.push({ term: "Stopped", text: "when and why is not known" });
	return facts;
}

function stateWords(trace, entry) {
	const record = recordOf(trace, entry);

	switch (trace.stretches.look[entry]) {
	case LOOKS_RUNNING:
		return "runs on CPU " + cpuOf(trace, entry);
	case LOOKS_RUNNABLE:
		return "runnable";
	case LOOKS_BLOCKED:
	case LOOKS_ASLEEP:
		return (record.kind === STOPS && sleepWords(trace, entry, record.reason)) || "asleep";
	case LOOKS_UNKNOWN:
		return "not known";
	}
	return "not there";
}

function guessWords(trace, entry) {
	const kind = recordOf(trace, entry).kind;

	if (trace.stretches.look[entry] === LOOKS_UNKNOWN)
		return "";
	if (kind === INFERRED)
		return ", since this time or before: no event tells when";
	return kind === FIRST ? ", since before the start" : "";
}

/* Marks and other words of a task from @from to @to. */
function notesOf(trace, task, from, to) {
	return trace.notes.filter((note) => note.task === task && note.ns >= from && note.ns <= to);
}

function noteFacts(trace, task, from, to) {
	const notes = notesOf(trace, task, from, to);
	const facts = notes.slice(0, NOTES).map((note) => ({
		term: note.type,
		text: "\"" + note.text + "\" at " + showTime(note.ns),
	}));

	if (notes.length > NOTES)
		facts.push({ term: "", text: "and " + (notes.length - NOTES) + " more" });
	return facts;
}

function timeFacts(from, to) {
	return [{
		term: "Time",
		text: showDuration(to - from) + ", from " + showTime(from) + " to " + showTime(to),
	}];
}

function explainStretch(trace, task, entry) {
	const { from, look } = trace.stretches;
	const next = neighbour(trace, task, entry, 1), before = neighbour(trace, task, entry, -1);
	const facts = timeFacts(from[entry], from[entry + 1]);

	if (trace.tgids[task] > 0 && trace.tgids[task] !== trace.tids[task])
		facts.push({ term: "Process", text: String(trace.tgids[task]) });
	switch (look[entry]) {
	case LOOKS_RUNNING:
		facts.push(...runFacts(trace, task, entry));
		break;
	case LOOKS_RUNNABLE:
		facts.push(...stopFacts(trace, entry), ...wakeFacts(trace, entry));
		if (next !== NO_ENTRY && look[next] === LOOKS_RUNNING)
			facts.push({ term: "Then", text: stateWords(trace, next) });
		break;
	case LOOKS_BLOCKED:
	case LOOKS_ASLEEP:
		facts.push(...stopFacts(trace, entry), ...endFacts(trace, next));
		break;
	case LOOKS_UNKNOWN:
		facts.push({
			term: "Before",
			text: before === NO_ENTRY ? "nothing" : stateWords(trace, before),
		});
		break;
	}
	return {
		title: nameOf(trace, task) + ": " + stateWords(trace, entry) +
			guessWords(trace, entry),
		facts: [...facts, ...noteFacts(trace, task, from[entry], from[entry + 1])],
	};
}

function explainTurn(trace, cpu, entry) {
	const { from, task } = trace.turns;
	const begin = from[entry], end = from[entry + 1];
	const losses = trace.losses.filter((loss) => loss.cpu === cpu && loss.from < end &&
					   loss.to >= begin);

	return {
		title: "CPU " + cpu + ": " + (task[entry] === IDLE ? "idle" : "not known"),
		facts: [...timeFacts(begin, end), ...losses.map((loss) => ({
			term: "Lost",
			text: loss.count + (loss.count === 1 ? " event" : " events") + ", from " +
				showTime(loss.from) + " to " + showTime(loss.to),
		}))],
	};
}

/* A title, and facts: a term, a text, perhaps a stack, and a place to go to. */
function explain(trace, place) {
	const entry = stretchAt(trace, place);

	if (entry === NO_ENTRY)
		return explainTurn(trace, place.number, place.entry);
	return explainStretch(trace, taskAt(trace, place), entry);
}

/* The place of who has woken the task of a place, before it or at its end; or null. */
function wakerOf(trace, place) {
	return explain(trace, place).facts.find((fact) => fact.go)?.go ?? null;
}
