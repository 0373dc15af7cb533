// SPDX-License-Identifier: GPL-2.0
/*
 * The page: shows a part of the trace, and tells about what is selected. Text from the trace
 * becomes text nodes only, never markup.
 */
"use strict";

const ROWS = 30;
const COLUMNS = [LOOKS_RUNNING, LOOKS_RUNNABLE, LOOKS_BLOCKED, LOOKS_ASLEEP, LOOKS_UNKNOWN];
/* Room for what scrolls, right of the lanes. */
const BAR_WIDTH = 14;

const element = (id) => document.getElementById(id);
const parsed = (id) => JSON.parse(element(id).textContent);
const trace = makeTrace(parsed("trace"), parsed("records"), parsed("tasks"));
const whole = Math.max(trace.ns, 1);
const byActivity = tasksByActivity(trace);
const hues = huesOf(trace, byActivity);
const marks = trace.notes.filter((note) => note.type === "mark");
const words = new Map();
/*
 * from, to: what is shown. lanes: those that are shown; cursor: the index of one. place: what is
 * selected, or null. isFound: by task; null: nothing is looked for.
 */
const state = { from: 0, to: whole, place: null, cursor: 0, lanes: [], isFound: null };
let colours = readColours();
let frame = 0;

/* --- where lanes are -------------------------------------------------------------------- */

function boxOf(index) {
	const cpus = Math.min(index, trace.cpus), tasks = index - cpus;

	return {
		y: cpus * (CPU_HEIGHT + GAP) + tasks * (TASK_HEIGHT + GAP) + GAP,
		height: index < trace.cpus ? CPU_HEIGHT : TASK_HEIGHT,
	};
}

/* The index of the lane that has a height, or -1. */
function laneAt(y) {
	const cpus = trace.cpus * (CPU_HEIGHT + GAP);
	const index = y < cpus ? Math.floor(y / (CPU_HEIGHT + GAP)) :
		trace.cpus + Math.floor((y - cpus) / (TASK_HEIGHT + GAP));

	return y >= 0 && index < state.lanes.length ? index : -1;
}

function viewNow() {
	const width = element("timeline").clientWidth - NAMES_WIDTH - BAR_WIDTH;

	return { from: state.from, to: state.to, width: Math.max(10, Math.floor(width)) };
}

function indexOf(place) {
	return state.lanes.findIndex(({ lane, number }) =>
		lane === place.lane && number === place.number);
}

function setLanes() {
	const tasks = byActivity.filter(isMeant);

	state.lanes = [...Array(trace.cpus).keys()].map((number) => ({ lane: "cpu", number }))
		.concat(tasks.map((number) => ({ lane: "task", number })));
	state.cursor = Math.min(state.cursor, state.lanes.length - 1);
	element("tall").style.height = boxOf(state.lanes.length).y + "px";
}

/* --- drawing ---------------------------------------------------------------------------- */

function isMeant(task) {
	return task > IDLE && (state.isFound === null || state.isFound[task]);
}

function paintNotes(brush, task, view, box) {
	eachNote(words.get(task) || [], view, (note, x) => {
		fill(brush, NAMES_WIDTH + x - 1, box.y - 2, 3, 4,
		     note.type === "mark" ? colours.flag : colours.text);
	});
}

function paintLane(brush, index, view, top) {
	const { lane, number } = state.lanes[index];
	const isCursor = index === state.cursor, box = boxOf(index);

	box.y -= top;
	fill(brush, NAMES_WIDTH, box.y, view.width, box.height,
	     isCursor ? colours.cursor : colours.lane);
	if (lane === "cpu") {
		paintCpu(brush, trace, number, view, box, isMeant);
		paintName(brush, "CPU " + number, box, null, isCursor);
		return;
	}
	const colour = colourOf(brush, trace.comms[number]);
	paintTask(brush, trace, number, view, box);
	paintNotes(brush, number, view, box);
	paintName(brush, nameOf(trace, number), box, colour, isCursor);
}

function middleOf(index, top) {
	const box = boxOf(index);

	return box.y - top + box.height / 2;
}

/* The selected entry, and an arrow from who has woken its task. */
function paintSelected(brush, view, top) {
	const { place } = state;
	const { from } = tableOf(trace, place);
	const index = indexOf(place);

	if (index < 0)
		return;
	const box = boxOf(index);
	box.y -= top;
	paintFrame(brush, view, from[place.entry], from[place.entry + 1], box);
	const wake = explain(trace, place).facts.find((fact) => fact.go);
	const waker = wake ? indexOf(wake.go) : -1;
	if (waker < 0 || wake.ns < view.from || wake.ns > view.to)
		return;
	paintWake(brush, NAMES_WIDTH + pixelAt(view, wake.ns), middleOf(waker, top),
		  middleOf(index, top));
}

function drawLanes(view) {
	const scroll = element("scroll"), canvas = element("lanes");
	const height = Math.max(scroll.clientHeight, 1), top = scroll.scrollTop;

	canvas.style.height = height + "px";
	const brush = makeBrush(canvas, Math.max(scroll.clientWidth, 1), height, colours, hues);
	const below = laneAt(top + height);
	const last = below < 0 ? state.lanes.length - 1 : below;
	for (let index = Math.max(0, laneAt(top)); index <= last; index++)
		paintLane(brush, index, view, top);
	finish(brush);
	paintPoles(brush, view, marks, height);
	if (state.place)
		paintSelected(brush, view, top);
	return brush.drawn;
}

function drawScale(view) {
	const width = Math.max(element("timeline").clientWidth, 1);
	const brush = makeBrush(element("scale"), width, SCALE_HEIGHT, colours, hues);

	paintScale(brush, view, marks);
	finish(brush);
	return brush.drawn;
}

/* For tests, the page says what it has drawn. */
function draw() {
	const view = viewNow();

	frame = 0;
	element("timeline").dataset.drawn = drawScale(view) + drawLanes(view);
	element("range").textContent = showTime(state.from) + " to " + showTime(state.to) + ", " +
		showDuration(state.to - state.from);
	element("out").disabled = element("all").disabled = state.to - state.from >= whole;
	drawTotals();
}

function drawSoon() {
	if (!frame)
		frame = requestAnimationFrame(draw);
}

/* --- what is said in words -------------------------------------------------------------- */

/* What a task does in the middle of what is shown, or else the last that it did. */
function placeToShow(task) {
	const place = placeOfTask(trace, task, (state.from + state.to) / 2) ??
		placeOfTask(trace, task, trace.ns);

	return trace.stretches.look[place.entry] === NONE ? beside(trace, place, -1) : place;
}

/* A button for a task, which selects that. */
function buttonOf(task) {
	const button = document.createElement("button");

	button.type = "button";
	button.textContent = nameOf(trace, task);
	button.addEventListener("click", () => {
		select(placeToShow(task));
		element("timeline").focus({ preventScroll: true });
	});
	return button;
}

function drawTotals() {
	const totals = totalsOf(trace, byActivity.filter(isMeant), state.from, state.to);
	const more = totals.length - ROWS;
	const body = element("totals").tBodies[0];

	body.replaceChildren();
	for (const { task, sums } of totals.slice(0, ROWS)) {
		const row = body.insertRow();
		for (const look of COLUMNS)
			row.insertCell().textContent = sums[look] > 0 ? showDuration(sums[look]) :
				"-";
		row.insertCell().append(buttonOf(task));
	}
	element("more").textContent = more > 0 ? "and " + more + " more" : "";
}

function addFact(fact) {
	const term = document.createElement("dt"), what = document.createElement("dd");

	term.textContent = fact.term;
	what.textContent = fact.text;
	if (fact.stack && fact.stack.length > 0) {
		const list = document.createElement("ol");
		for (const name of fact.stack) {
			const item = document.createElement("li");
			item.textContent = name;
			list.append(item);
		}
		what.append(list);
	}
	element("facts").append(term, what);
}

function showDetails() {
	const { place } = state;
	const details = place ? explain(trace, place) : { title: "Nothing is selected", facts: [] };

	element("title").textContent = details.title;
	element("facts").replaceChildren();
	details.facts.forEach(addFact);
	element("go").hidden = !place;
	if (!place)
		return;
	element("waker").disabled = !wakerOf(trace, place);
	element("previous").disabled = beside(trace, place, -1) === place;
	element("next").disabled = beside(trace, place, 1) === place;
	element("other").disabled = !otherOf(trace, place);
	element("other").textContent = place.lane === "cpu" ? "Its task" : "Its CPU";
}

function showFound() {
	const input = element("search");
	let text = "";

	input.setCustomValidity("");
	try {
		state.isFound = input.value ? findTasks(trace, input.value) : null;
		if (state.isFound) {
			const found = state.isFound.filter((is) => is).length;
			text = found + (found === 1 ? " task" : " tasks");
		}
	} catch (error) {
		state.isFound = null;
		input.setCustomValidity("not a regular expression");
		text = "not a regular expression";
	}
	element("found").textContent = text;
	setLanes();
	drawSoon();
}
