// SPDX-License-Identifier: GPL-2.0
/*
 * Paints lanes and the scale. A brush is a pen with the colours of the page and the hues of the
 * tasks by their names. What a task does is told by height and pattern as well as by colour.
 */
"use strict";

const NAMES_WIDTH = 150;
const CPU_HEIGHT = 22, TASK_HEIGHT = 16, GAP = 3;
const SCALE_HEIGHT = 46;
/* Properties in the style of the page. */
const COLOURS = [
	"text", "page", "line", "faint", "lane", "cursor", "mark", "alert", "flag", "lightness",
	"chroma", "slice-text", "runnable", "runnable-ground", "blocked", "asleep", "unknown",
	"unknown-ground",
];
/* Parts of the height of a lane. */
const HEIGHTS = { running: 1, unknown: 1, runnable: 0.75, blocked: 0.45, asleep: 0.12 };

function readColours() {
	const style = getComputedStyle(document.documentElement);

	return Object.fromEntries(COLOURS.map((name) =>
		[name, style.getPropertyValue("--" + name).trim()]));
}

/* Tasks of the same name have the same colour. */
function colourOf(brush, comm) {
	const { lightness, chroma } = brush.colours;

	return "oklch(" + lightness + " " + chroma + " " + brush.hues.get(comm) + ")";
}

function makeBrush(canvas, width, height, colours, hues) {
	return {
		...makePen(canvas, width, height, colours.page),
		colours, hues,
		fills: {
			runnable: stripesOf(colours.runnable, colours["runnable-ground"], false),
			unknown: stripesOf(colours.unknown, colours["unknown-ground"], true),
			blocked: colours.blocked,
			asleep: colours.asleep,
		},
	};
}

/* In an entry from pixel @x to @end: the first of the texts that has room as a whole. */
function writeFirst(brush, texts, box, x, end) {
	const room = end - x - 6;
	const text = texts.find((text) => text.length * CHARACTER <= room);

	if (text)
		write(brush, text, NAMES_WIDTH + x + 3, box.y + box.height / 2 + 1, room,
		      brush.colours["slice-text"]);
}

/* In the whole height for a state, or in @share of it, above what was filled already. */
function fillState(brush, box, x, width, look, colour, share, bottom) {
	const height = box.height * (share === undefined ? HEIGHTS[LOOKS[look]] : share);

	fill(brush, x, box.y + box.height - bottom - height, width, height,
	     look === LOOKS_RUNNING ? colour : brush.fills[LOOKS[look]]);
	return bottom + height;
}

/* One pixel of many entries: the share of each state, running at the bottom. None is invisible. */
function fillShares(brush, box, x, shareOfLook, colour) {
	let bottom = 0;

	for (const look of [LOOKS_RUNNING, LOOKS_RUNNABLE, LOOKS_BLOCKED, LOOKS_UNKNOWN]) {
		const share = shareOfLook(look);
		if (share > 0)
			bottom = fillState(brush, box, x, 1, look, colour,
					   Math.min(1 - bottom / box.height,
						    Math.max(share, 1 / box.height)), bottom);
	}
}

/* @isMeant: does it fit what is looked for? Others are faint. */
function paintCpu(brush, trace, cpu, view, box, isMeant) {
	const table = trace.turns;
	const colourOfTask = (task) => isMeant(task) ? colourOf(brush, trace.comms[task]) :
		brush.colours.line;

	eachPiece(table, table.lanes[cpu], view, (x, end, i) => {
		if (table.look[i] === NONE)
			return;
		const task = table.task[i], left = NAMES_WIDTH + x, width = end - x;
		fillState(brush, box, left, width, table.look[i], colourOfTask(task), 1, 0);
		if (task <= IDLE)
			return;
		if (width > 2)
			fill(brush, left + width - 1, box.y, 1, box.height, brush.colours.page);
		const comm = trace.comms[task];
		writeFirst(brush, [nameOf(trace, task), comm, comm.slice(0, 4)], box, x, end);
	}, (x, i, j) => {
		const longest = longestOf(table, i, j);
		fillShares(brush, box, NAMES_WIDTH + x, (look) => table.before[look] ?
			shareOf(table, look, view, x, i, j) : 0, colourOfTask(table.task[longest]));
	});
}

function paintTask(brush, trace, task, view, box) {
	const table = trace.stretches;
	const colour = colourOf(brush, trace.comms[task]);

	eachPiece(table, table.lanes[task], view, (x, end, i) => {
		if (table.look[i] === NONE)
			return;
		fillState(brush, box, NAMES_WIDTH + x, end - x, table.look[i], colour, undefined,
			  0);
		if (table.look[i] === LOOKS_RUNNING)
			writeFirst(brush, ["CPU " + cpuOf(trace, i), String(cpuOf(trace, i))], box,
				   x, end);
	}, (x, i, j) => {
		fillState(brush, box, NAMES_WIDTH + x, 1, LOOKS_ASLEEP, colour, undefined, 0);
		fillShares(brush, box, NAMES_WIDTH + x,
			   (look) => shareOf(table, look, view, x, i, j), colour);
	});
}

/* Marks, through all lanes, which shine through. */
function paintPoles(brush, view, marks, height) {
	const { context } = brush;

	context.globalAlpha = 0.5;
	context.fillStyle = brush.colours.flag;
	eachNote(marks, view, (note, x) => context.fillRect(NAMES_WIDTH + x, 0, 1, height));
	context.globalAlpha = 1;
}

/* The name of a lane, with the colour of its task. */
function paintName(brush, name, box, colour, isCursor) {
	if (isCursor)
		fill(brush, 0, box.y - 1, NAMES_WIDTH - 4, box.height + 2, brush.colours.cursor);
	if (colour)
		fill(brush, 6, box.y + box.height / 2 - 4, 8, 8, colour);
	write(brush, name, 18, box.y + box.height / 2 + 1, NAMES_WIDTH - 24, brush.colours.text);
}

/* From who has woken a task to it. */
function paintWake(brush, x, fromY, toY) {
	const { context } = brush;
	const down = toY > fromY ? 1 : -1;

	context.strokeStyle = context.fillStyle = brush.colours.mark;
	context.lineWidth = 1.5;
	context.beginPath();
	context.moveTo(x, fromY);
	context.lineTo(x, toY);
	context.stroke();
	context.beginPath();
	context.moveTo(x, toY);
	context.lineTo(x - 4, toY - down * 7);
	context.lineTo(x + 4, toY - down * 7);
	context.fill();
}

/* Around an entry, where it can be seen. */
function paintFrame(brush, view, from, to, box) {
	const left = Math.max(-3, pixelAt(view, from));
	const right = Math.min(view.width + 3, pixelAt(view, to));

	if (right < 0 || left > view.width)
		return;
	brush.context.strokeStyle = brush.colours.mark;
	brush.context.lineWidth = 2;
	brush.context.strokeRect(NAMES_WIDTH + left - 1, box.y - 1, Math.max(right - left, 1) + 2,
			       box.height + 2);
}

/* Calls visit(note, pixel) for the first of the notes in each pixel that is shown. */
function eachNote(notes, view, visit) {
	let last = -1;

	for (const note of notes) {
		if (note.ns < view.from || note.ns > view.to)
			continue;
		const x = Math.round(pixelAt(view, note.ns));
		if (x !== last)
			visit(note, x);
		last = x;
	}
}

/* Marks as flags, with as much of their text as there is room for; the time below. */
function paintScale(brush, view, marks) {
	const { step, ticks } = ticksOf(view, Math.max(2, view.width / 110));
	const digits = Math.max(0, 9 - Math.floor(Math.log10(step)));
	const flags = [];

	for (const tick of ticks) {
		const x = NAMES_WIDTH + Math.round(pixelAt(view, tick));
		fill(brush, x, SCALE_HEIGHT - 8, 1, 8, brush.colours.faint);
		write(brush, (tick / 1e9).toFixed(digits) + " s", x + 3, SCALE_HEIGHT - 12,
		      NAMES_WIDTH + view.width - x, brush.colours.faint);
	}
	eachNote(marks, view, (note, x) => flags.push({ note, x }));
	flags.forEach(({ note, x }, i) => {
		const room = Math.min((flags[i + 1]?.x ?? view.width) - x - 4,
				      CHARACTER * note.text.length + 6);
		fill(brush, NAMES_WIDTH + x, 3, 1, SCALE_HEIGHT - 3, brush.colours.flag);
		fill(brush, NAMES_WIDTH + x, 3, Math.max(4, room), 15, brush.colours.flag);
		write(brush, note.text, NAMES_WIDTH + x + 3, 11, room - 4, brush.colours.page);
	});
	write(brush, "time", 18, SCALE_HEIGHT - 12, NAMES_WIDTH, brush.colours.faint);
}
