// SPDX-License-Identifier: GPL-2.0
/* Goes around in the page, by keys, buttons and mouse, and starts it. */
"use strict";

const ZOOM = 1.5, MOVE = 0.15;
/* How far the mouse moves in a click, and how far it may be from a mark. */
const CLICK_PIXELS = 4, MARK_PIXELS = 4;

/* --- going around ----------------------------------------------------------------------- */

function show({ from, to }) {
	state.from = from;
	state.to = to;
	drawSoon();
}

/* Shows @span of the time, with @ns in its middle as far as that goes. */
function center(ns, span) {
	show(moved({ from: 0, to: span }, whole, ns - span / 2));
}

function zoom(factor, ns = (state.from + state.to) / 2) {
	show(zoomed(state, whole, factor, ns));
}

function move(share) {
	show(moved(state, whole, (state.to - state.from) * share));
}

function scrollToLane(index) {
	const scroll = element("scroll"), box = boxOf(index);

	if (box.y < scroll.scrollTop)
		scroll.scrollTop = box.y - GAP;
	else if (box.y + box.height > scroll.scrollTop + scroll.clientHeight)
		scroll.scrollTop = box.y + box.height + GAP - scroll.clientHeight;
}

function setCursor(index) {
	state.cursor = Math.max(0, Math.min(state.lanes.length - 1, index));
	scrollToLane(state.cursor);
	drawSoon();
}

/* Moves what is shown as far as is needed to see something of the entry. */
function reveal(place) {
	const table = tableOf(trace, place);
	const from = table.from[place.entry], to = table.from[place.entry + 1];
	const span = state.to - state.from;

	if (to < state.from || from > state.to)
		center((from + Math.min(to, from + span)) / 2, span);
}

function select(place) {
	state.place = place;
	if (place && indexOf(place) < 0) {
		/* It is not what is looked for. */
		element("search").value = "";
		showFound();
	}
	if (place) {
		setCursor(indexOf(place));
		reveal(place);
	}
	showDetails();
	drawSoon();
}

function selectIf(place) {
	if (place)
		select(place);
}

/* What a lane shows at a time, or null: nothing. */
function placeAt(index, ns) {
	if (index < 0)
		return null;
	const { lane, number } = state.lanes[index];
	if (lane === "cpu")
		return placeOfCpu(trace, number, ns);
	const place = placeOfTask(trace, number, ns);
	return place && trace.stretches.look[place.entry] !== NONE ? place : null;
}

function fit() {
	if (!state.place)
		return;
	const { from } = tableOf(trace, state.place);
	show(around(from[state.place.entry], from[state.place.entry + 1], whole));
}

/* The mark behind the middle of what is shown, or before it; of all, the first or the last one. */
function goToMark(direction) {
	const isAll = state.to - state.from >= whole;
	const middle = (state.from + state.to) / 2;
	const next = direction > 0 ? marks.find((mark) => isAll || mark.ns > middle + 1) :
		marks.findLast((mark) => isAll || mark.ns < middle - 1);

	if (!next)
		return;
	const span = isAll ? whole / 5 : state.to - state.from;
	center(next.ns, span);
	element("under").textContent = noteWords(next);
}

function noteWords(note) {
	return note.type + " \"" + note.text + "\" by " + nameOf(trace, note.task) + " at " +
		showTime(note.ns);
}

/* The next entry in a direction; without one, that in the middle of the lane. */
function step(direction) {
	if (state.place)
		select(beside(trace, state.place, direction));
	else
		keys.Enter();
}

const keys = {
	w: () => zoom(1 / ZOOM),
	s: () => zoom(ZOOM),
	"+": () => zoom(1 / ZOOM),
	"-": () => zoom(ZOOM),
	a: () => move(-MOVE),
	d: () => move(MOVE),
	ArrowLeft: () => move(-MOVE),
	ArrowRight: () => move(MOVE),
	ArrowUp: () => setCursor(state.cursor - 1),
	ArrowDown: () => setCursor(state.cursor + 1),
	0: () => show({ from: 0, to: whole }),
	Home: () => setCursor(0),
	Enter: () => selectIf(placeAt(state.cursor, (state.from + state.to) / 2)),
	p: () => step(-1),
	n: () => step(1),
	j: () => state.place && selectIf(wakerOf(trace, state.place)),
	t: () => state.place && selectIf(otherOf(trace, state.place)),
	f: fit,
	m: () => goToMark(1),
	M: () => goToMark(-1),
	"/": () => element("search").focus(),
	Escape: () => select(null),
};

/* --- the mouse -------------------------------------------------------------------------- */

function timeUnder(event) {
	const x = event.clientX - element("lanes").getBoundingClientRect().left - NAMES_WIDTH;

	return x < 0 ? null : Math.max(0, Math.min(whole, timeAt(viewNow(), x)));
}

function laneUnder(event) {
	const { top } = element("lanes").getBoundingClientRect();

	return laneAt(event.clientY - top + element("scroll").scrollTop);
}

function placeUnder(event) {
	const ns = timeUnder(event);

	return ns === null ? null : placeAt(laneUnder(event), ns);
}

function hover(event) {
	const place = placeUnder(event);
	const ns = timeUnder(event);
	const pixel = (state.to - state.from) / viewNow().width;
	const mark = ns === null ? null :
		marks.find((note) => Math.abs(note.ns - ns) < MARK_PIXELS * pixel);
	const texts = mark ? [noteWords(mark)] : [];

	if (place) {
		const { title, facts } = explain(trace, place);
		texts.unshift(title + ", " + facts[0].text);
	}
	element("under").textContent = texts.join("; ");
}

function click(event) {
	const index = laneUnder(event);

	if (index >= 0)
		setCursor(index);
	select(placeUnder(event));
}

/* What is under the mouse stays there. */
function followDrag(canvas) {
	let last = null, start = null;

	canvas.addEventListener("pointerdown", (event) => {
		if (event.button !== 0)
			return;
		start = last = event;
		canvas.setPointerCapture(event.pointerId);
	});
	canvas.addEventListener("pointermove", (event) => {
		if (!last) {
			hover(event);
			return;
		}
		const right = event.clientX - start.clientX, down = event.clientY - start.clientY;
		if (Math.hypot(right, down) >= CLICK_PIXELS)
			canvas.classList.add("dragged");
		move((last.clientX - event.clientX) / viewNow().width);
		element("scroll").scrollTop += last.clientY - event.clientY;
		last = event;
	});
	canvas.addEventListener("pointerup", (event) => {
		const isDragged = canvas.classList.contains("dragged");

		canvas.classList.remove("dragged");
		if (last && !isDragged)
			click(event);
		last = null;
	});
	canvas.addEventListener("pointercancel", () => {
		canvas.classList.remove("dragged");
		last = null;
	});
	canvas.addEventListener("pointerleave", () => {
		element("under").textContent = "";
	});
}

/* Over the names, the wheel scrolls. */
function turnWheel(event) {
	const ns = timeUnder(event);

	if (ns === null)
		return;
	event.preventDefault();
	if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY))
		move((event.deltaX || event.deltaY) / viewNow().width);
	else
		zoom(ZOOM ** (event.deltaY / 120), ns);
}

function listenToTimeline() {
	const timeline = element("timeline");

	timeline.addEventListener("keydown", (event) => {
		const isOurs = !event.ctrlKey && !event.altKey && !event.metaKey;
		if (!isOurs || !Object.hasOwn(keys, event.key))
			return;
		event.preventDefault();
		keys[event.key]();
	});
	timeline.addEventListener("wheel", turnWheel, { passive: false });
	followDrag(element("lanes"));
	element("lanes").addEventListener("dblclick", fit);
	element("scroll").addEventListener("scroll", drawSoon);
	window.addEventListener("resize", drawSoon);
	matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
		colours = readColours();
		drawSoon();
	});
}

function listenToControls() {
	element("in").addEventListener("click", keys.w);
	element("out").addEventListener("click", keys.s);
	element("all").addEventListener("click", keys[0]);
	element("waker").addEventListener("click", keys.j);
	element("previous").addEventListener("click", keys.p);
	element("next").addEventListener("click", keys.n);
	element("other").addEventListener("click", keys.t);
	element("fit").addEventListener("click", fit);
	element("search").addEventListener("input", showFound);
	element("search").addEventListener("keydown", (event) => {
		if (event.key === "Escape" || event.key === "Enter")
			element("timeline").focus({ preventScroll: true });
	});
}

function start() {
	for (const note of trace.notes) {
		if (!words.has(note.task))
			words.set(note.task, []);
		words.get(note.task).push(note);
	}
	element("controls").hidden = false;
	element("main").hidden = false;
	listenToTimeline();
	listenToControls();
	setLanes();
	showDetails();
	draw();
	element("timeline").focus({ preventScroll: true });
}

start();
