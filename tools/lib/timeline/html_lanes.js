// SPDX-License-Identifier: GPL-2.0
/*
 * What there is to draw of a lane. Each pixel of its width is in one piece: of an entry that
 * has it, or of several that are narrower, which are told as sums. So a lane has at most as
 * many pieces as pixels, however many entries it has.
 *
 * A view is a part of the time, from and to, on a width in pixels.
 */
"use strict";

/* Of the entries in a pixel, so many are looked at to find the longest one. */
const SAMPLES = 32;
/* No less is shown. */
const LEAST_NS = 100;

function timeAt(view, x) {
	return view.from + (view.to - view.from) * x / view.width;
}

function pixelAt(view, ns) {
	return (ns - view.from) / (view.to - view.from) * view.width;
}

/* Of two entries that meet in a pixel, the one that has more of it; or one that has no other. */
function betterOf(table, view, i, x) {
	const pixel = timeAt(view, 1) - timeAt(view, 0);
	const isNarrow = (entry) => table.from[entry + 1] - table.from[entry] < pixel;

	if (isNarrow(i) !== isNarrow(i + 1))
		return isNarrow(i) ? i : i + 1;
	return table.from[i + 1] < timeAt(view, x + 0.5) ? i + 1 : i;
}

/* Of the entries from @i to @j, the longest one that runs a task. */
function longestOf(table, i, j) {
	const step = Math.max(1, (j - i) / SAMPLES);
	let longest = i, most = -1;

	for (let entry = i; entry <= j; entry += step) {
		const k = Math.floor(entry);
		const ns = table.from[k + 1] - table.from[k];
		if (table.look[k] === LOOKS_RUNNING && ns > most) {
			longest = k;
			most = ns;
		}
	}
	return longest;
}

/*
 * Calls wide(x, end, entry) for pixels that belong to one entry, and narrow(x, first, last) for one
 * that belongs to more than two.
 */
function eachPiece(table, lane, view, wide, narrow) {
	const to = Math.min(view.to, table.from[lane.end]);
	const end = Math.min(view.width, Math.ceil(pixelAt(view, to)));
	let i = lane.first;

	for (let x = Math.max(0, Math.floor(pixelAt(view, table.from[lane.first]))); x < end;) {
		i = entryAt(table, lane, timeAt(view, x), i);
		const j = entryAt(table, lane, timeAt(view, x + 1), i);
		if (j - i > 1) {
			narrow(x++, i, j);
			continue;
		}
		const entry = j > i ? betterOf(table, view, i, x) : i;
		const next = entry === lane.end - 1 ? end :
			Math.floor(pixelAt(view, table.from[entry + 1]));
		wide(x, Math.min(end, Math.max(next, x + 1)), entry);
		x = Math.max(next, x + 1);
	}
}

/* Which part of the pixel @x has a look, of the entries @i to @j. */
function shareOf(table, look, view, x, i, j) {
	const from = Math.max(timeAt(view, x), table.from[i]), to = timeAt(view, x + 1);
	const ns = timeUntil(table, look, j, to) - timeUntil(table, look, i, from);

	return Math.max(0, Math.min(1, ns / (to - timeAt(view, x))));
}

/* @factor times as much of the time as a view has; @ns stays where it is. */
function zoomed(view, whole, factor, ns) {
	const span = Math.min(whole, Math.max(LEAST_NS, (view.to - view.from) * factor));
	const share = (ns - view.from) / (view.to - view.from);

	return moved({ from: ns - span * share, to: ns + span * (1 - share) }, whole, 0);
}

/* The same part, @ns later, as far as there is something. */
function moved({ from, to }, whole, ns) {
	const span = Math.min(whole, to - from);
	const start = Math.max(0, Math.min(whole - span, from + ns));

	return { from: start, to: start + span };
}

/* A part that has all from @from to @to, and something around it. */
function around(from, to, whole) {
	const span = Math.max(to - from, LEAST_NS / 2);

	return zoomed({ from, to: from + span }, whole, 1.5, from + span / 2);
}

/* Times for the lines of a scale with at most @most of them: 1, 2 or 5 of a power of ten apart. */
function ticksOf(view, most) {
	const least = (view.to - view.from) / most;
	const power = 10 ** Math.floor(Math.log10(least));
	const step = Math.max(1, power * [1, 2, 5, 10].find((factor) => factor * power >= least));
	const ticks = [];

	for (let n = Math.ceil(view.from / step); n * step <= view.to && ticks.length <= most; n++)
		ticks.push(n * step);
	return { step, ticks };
}
