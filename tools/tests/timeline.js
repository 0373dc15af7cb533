// SPDX-License-Identifier: GPL-2.0
/*
 * Asks an HTML page of kmprof trace. Without a browser, of its scripts but for the last two:
 *
 *	timeline.js policy FILE		whether the page allows the scripts and styles that it has
 *	timeline.js stretches FILE	what each task did: number, look, from, to, in ns
 *	timeline.js turns FILE		what each CPU ran: CPU, number of a task, idle or unknown, from, to
 *	timeline.js totals FILE FROM TO	what each task did in a part, in ns: number, and a sum for each look
 *	timeline.js text FILE		events, as the text of a trace has them; see there
 *	timeline.js details FILE TASK	all stretches of a task in words
 *	timeline.js pieces FILE WIDTH	complaints about what is drawn of random parts, or "sound"
 *	timeline.js size FILE		slices, and bytes for each
 *
 * In headless Chromium:
 *
 *	timeline.js steps FILE STEP...	what the page shows after each step: key=K, type=TEXT, click=LANE@S,
 *				double=LANE@S, hover=LANE@S, wheel=LANE@S@DELTA, drag=LANE@S@S,
 *				button=ID, row=NUMBER of the table, shot=PNG, scheme=NAME, looks=LANE@S
 *	timeline.js contrast FILE SCHEME	the worst contrast of texts, and of what is drawn
 *	timeline.js drawn FILE		rectangles that are drawn at several zooms, and the most there may be
 *
 * LANE is its number in the page, from 0 on, S is in seconds.
 */
"use strict";

const crypto = require("crypto");
const fs = require("fs");
const vm = require("vm");
const { press, mouse, run } = require("./chromium.js");

const [, , command, file, ...rest] = process.argv;

/* --- without a browser ------------------------------------------------------------------ */

const page = fs.readFileSync(file, "utf8");
const scripts = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map((match) => match[1]);

function json(id) {
	return JSON.parse(page.match(new RegExp("<script type=\"application/json\" id=\"" + id + "\">([^]*?)</script>"))[1]);
}

/* The names of the page's scripts, and its trace. */
function load() {
	const context = vm.createContext({});

	for (const script of scripts.slice(0, 3))
		vm.runInContext(script, context);
	context.parts = [json("trace"), json("records"), json("tasks")];
	vm.runInContext("const trace = makeTrace(...parts);", context);
	return (expression) => vm.runInContext(expression, context);
}

function show(lines) {
	console.log(lines.join("\n"));
}

function showPolicy() {
	const policy = page.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)[1];
	const hash = (text) => "'sha256-" + crypto.createHash("sha256").update(text).digest("base64") + "'";
	const style = page.match(/<style>([^]*?)<\/style>/)[1];

	console.log(scripts.reduce((text, script, i) => text.replace(hash(script), i), policy)
		.replace(hash(style), "style"));
}

function showStretches() {
	show(load()(`trace.tids.flatMap((_, task) => {
		const { from, look, lanes } = trace.stretches;
		return Array.from({ length: lanes[task].end - lanes[task].first }, (_, i) => lanes[task].first + i)
			.map((i) => [task, LOOKS[look[i]], from[i], from[i + 1]].join(" "));
	})`));
}

function showTurns() {
	show(load()(`trace.turns.lanes.flatMap(({ first, end }, cpu) => {
		const { from, task } = trace.turns;
		return Array.from({ length: end - first }, (_, i) => first + i).map((i) =>
			[cpu, task[i] < 0 ? "unknown" : task[i] || "idle", from[i], from[i + 1]].join(" "));
	})`));
}

function showTotals() {
	show(load()(`trace.tids.map((_, task) => [task, ...sumsOf(trace, task, ${rest[0]}, ${rest[1]})].join(" ")).slice(1)`));
}

/* The lines of text that make a stretch or a turn, and notes, without stacks. */
function showText() {
	show(load()(`(() => {
		const lines = [];
		const add = (ns, cpu, words) => lines.push((ns / 1e9).toFixed(9) + " " + cpu + " " + words);
		eachRecord(trace.records, (ns, kind, at) => {
			if (kind === LOST)
				add(ns, trace.records[at], "lost " + trace.records[at + 1]);
			else if (kind === SAYS)
				add(ns, trace.records[at], trace.records[at + 2] + " " + trace.records[at + 3]);
		});
		return lines;
	})()`));
}

function showDetails() {
	show(load()(`(() => {
		const { first, end } = trace.stretches.lanes[${rest[0]}];
		return Array.from({ length: end - first }, (_, i) => first + i).flatMap((entry) => {
			const { title, facts } = explain(trace, { lane: "task", number: ${rest[0]}, entry });
			return [title, ...facts.map(({ term, text, stack, go }) => "  " + term + " " + text +
				(stack && stack.length ? ": " + stack.join(" < ") : "") +
				(go ? " -> " + go.lane + " " + go.number : ""))];
		});
	})()`));
}

/*
 * Whether pieces are in their order, one at most for each pixel, none left out; an entry that has pixels of its own is
 * drawn there, and the sum of the shares is that of the time.
 */
function checkPieces(width) {
	const complaints = [];
	let seed = 1;
	const random = () => (seed = seed * 48271 % 2147483647) / 2147483647;

	for (const table of [trace.stretches, trace.turns]) {
		for (const lane of table.lanes.filter(({ first, end }) => end > first)) {
			for (let n = 0; n < 12; n++) {
				const from = n ? random() * trace.ns : 0;
				const to = n ? from + Math.max(1, (trace.ns - from) * random() ** n) : Math.max(trace.ns, 1);
				const view = { from, to, width };
				let next = null, pieces = 0;
				const meet = (x, end, what) => {
					if (next !== null && x !== next)
						complaints.push(what + " at " + x + ", not " + next);
					if (end <= x || end > width || x < 0)
						complaints.push(what + " from " + x + " to " + end);
					next = end;
					pieces++;
				};
				eachPiece(table, lane, view, (x, end, i) => {
					meet(x, end, "entry " + i);
					if (table.from[i] > timeAt(view, x + 1) + 1e-3 || table.from[i + 1] < timeAt(view, end - 1) - 1e-3)
						complaints.push("entry " + i + " is not there");
				}, (x, i, j) => {
					meet(x, x + 1, "entries " + i + " to " + j);
					const sum = table.before.reduce((sum, before, look) => sum + (before ?
						shareOf(table, look, view, x, i, j) : 0), 0);
					/* A CPU also idles; a task is not there at first, or at last. */
					const isFull = table === trace.stretches && j < lane.end - 1 &&
						table.from[lane.first] <= timeAt(view, x);
					if (!(sum > -1e-6 && sum < 1 + 1e-6) || (isFull && sum < 1 - 1e-6))
						complaints.push("a pixel of " + sum);
				});
				if (pieces > width)
					complaints.push(pieces + " pieces");
				const end = Math.min(width, Math.ceil(pixelAt(view, Math.min(to, trace.ns))));
				if (table.from[lane.first] <= from && from < trace.ns && next !== end)
					complaints.push("ends at " + next);
			}
		}
	}
	return complaints.length ? complaints.slice(0, 10) : ["sound"];
}

function showPieces() {
	show(load()(`(${checkPieces})(${rest[0]})`));
}

function showSize() {
	const slices = load()(`[trace.stretches, trace.turns].reduce((sum, { lanes }) =>
		sum + lanes.reduce((sum, { first, end }) => sum + end - first, 0), 0)`);
	const bytes = page.match(/id="records">([^]*?)<\/script>/)[1].length;

	console.log(slices + " slices, " + Math.ceil(bytes / slices) + " bytes each");
}

/* --- in a browser ----------------------------------------------------------------------- */

/* Where a lane is in the window at a time, scrolled to. */
async function pointOf(browser, lane, seconds) {
	return await browser.value(`(() => {
		element("timeline").scrollIntoView();
		scrollToLane(${lane});
		draw();
		const box = element("lanes").getBoundingClientRect();
		return [box.left + NAMES_WIDTH + pixelAt(viewNow(), ${seconds} * 1e9),
			box.top + boxOf(${lane}).y - element("scroll").scrollTop + boxOf(${lane}).height / 2];
	})()`);
}

async function click(browser, [x, y], clickCount = 1) {
	for (let count = 1; count <= clickCount; count++)
		for (const type of ["mousePressed", "mouseReleased"])
			await browser.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: count });
}

const actions = {
	async key(browser, key) {
		await browser.value(`element("timeline").focus()`);
		await press(browser, key);
	},
	async type(browser, text) {
		await browser.value(`element("search").focus(); element("search").select()`);
		if (text)
			await browser.send("Input.insertText", { text });
		else
			await press(browser, "Delete");
	},
	async click(browser, lane, seconds) {
		await click(browser, await pointOf(browser, lane, seconds));
	},
	async double(browser, lane, seconds) {
		await click(browser, await pointOf(browser, lane, seconds), 2);
	},
	async hover(browser, lane, seconds) {
		await mouse(browser, "mouseMoved", ...await pointOf(browser, lane, seconds));
	},
	async wheel(browser, lane, seconds, deltaY) {
		const [x, y] = await pointOf(browser, lane, seconds);
		await browser.send("Input.dispatchMouseEvent", { type: "mouseWheel", x, y, deltaX: 0, deltaY: Number(deltaY) });
	},
	async drag(browser, lane, seconds, to) {
		const [x, y] = await pointOf(browser, lane, seconds), [end] = await pointOf(browser, lane, to);
		await mouse(browser, "mousePressed", x, y);
		for (const part of [0.5, 1])
			await browser.send("Input.dispatchMouseEvent", { type: "mouseMoved", x: x + (end - x) * part, y,
									 button: "left", buttons: 1 });
		await mouse(browser, "mouseReleased", end, y);
	},
	async button(browser, id) {
		await browser.value(`element("${id}").click()`);
	},
	async row(browser, number) {
		await browser.value(`element("totals").tBodies[0].rows[${number}].querySelector("button").click()`);
	},
	async shot(browser, path) {
		await browser.value("draw()");
		const { data } = await browser.send("Page.captureScreenshot", { format: "png" });
		fs.writeFileSync(path, Buffer.from(data, "base64"));
	},
	async scheme(browser, value) {
		await browser.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value }] });
		await browser.value("new Promise(requestAnimationFrame)");
	},
	/* What fills a lane there, from top to bottom, by the colours of the page. */
	async looks(browser, lane, seconds) {
		await pointOf(browser, lane, seconds);
		console.log(await browser.value(`(${looksAt})(${lane}, ${seconds} * 1e9)`));
	},
};

/* Words for the colours in a lane around a time. */
function looksAt(lane, ns) {
	draw();
	const canvas = element("lanes");
	const ratio = canvas.width / canvas.clientWidth;
	const { y, height } = boxOf(lane);
	const x = NAMES_WIDTH + Math.round(pixelAt(viewNow(), ns));
	const { data } = canvas.getContext("2d").getImageData((x - 3) * ratio, (y - element("scroll").scrollTop) * ratio,
		6 * ratio, height * ratio);
	const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const seen = new Set();
	const named = [...["runnable", "runnable-ground", "blocked", "asleep", "unknown", "unknown-ground", "lane", "cursor",
			   "mark", "flag"].map((name) => [name, colours[name]]),
		...byActivity.map((task) => ["runs " + nameOf(trace, task),
					     colourOf({ colours, hues }, trace.comms[task])])]
		.map(([name, colour]) => {
			probe.fillStyle = colour;
			probe.fillRect(0, 0, 1, 1);
			return [name, probe.getImageData(0, 0, 1, 1).data.slice(0, 3).join()];
		});
	for (let i = 0; i < data.length; i += 4) {
		const colour = data.slice(i, i + 3).join();
		const found = named.find(([, known]) => known === colour);
		if (found)
			seen.add(found[0]);
	}
	return "  looks " + [...seen].sort().join(", ");
}

async function showPage(browser) {
	console.log(await browser.value(`(() => {
		if (frame)
			draw();
		const lane = state.lanes[state.cursor];
		return ["  " + element("range").textContent + " | " + state.lanes.length + " lanes | " +
			(lane ? lane.lane === "cpu" ? "CPU " + lane.number : nameOf(trace, lane.number) : "none"),
			...["found", "under"].map((id) => element(id).textContent).filter((text) => text).map((text) => "  " + text),
			"  " + element("title").textContent,
			...[...element("facts").children].filter(({ tagName }) => tagName === "DT").map((term) =>
				"    " + term.textContent + ": " + [...term.nextSibling.childNodes].map((node) =>
					node.nodeType === Node.TEXT_NODE ? node.data :
					[...node.children].map((item) => item.textContent).join(" < ")).join(": "))].join("\\n");
	})()`));
}

async function showSteps(browser) {
	await browser.open();
	await showPage(browser);
	for (const step of rest) {
		const [, action, value] = step.match(/^(\w+)=(.*)$/);
		console.log("# " + step);
		await actions[action](browser, ...(action === "type" || action === "key" ? [value] : value.split("@")));
		if (!["looks", "shot", "scheme"].includes(action))
			await showPage(browser);
	}
	console.log(await browser.value(`[...element("totals").tBodies[0].rows]
		.map((row) => [...row.cells].map((cell) => cell.textContent).join(", ")).join("\\n")`));
	const errors = browser.events.filter(({ method }) => method === "Runtime.exceptionThrown" || method === "Log.entryAdded");
	console.log("errors: " + errors.length);
}

/* The worst contrast of two colours, by the formula of WCAG. */
function worstContrast() {
	const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
	const luminance = (colour) => {
		probe.fillStyle = colour;
		probe.fillRect(0, 0, 1, 1);
		const [r, g, b] = [...probe.getImageData(0, 0, 1, 1).data].map((v) =>
			v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const contrast = (a, b) => {
		const [x, y] = [luminance(a), luminance(b)].sort((x, y) => y - x);
		return (x + 0.05) / (y + 0.05);
	};
	const c = colours;
	const hues = Array.from({ length: 360 }, (_, hue) => "oklch(" + c.lightness + " " + c.chroma + " " + hue + ")");
	const worst = (pairs) => Math.min(...pairs.map(([a, b]) => contrast(a, b))).toFixed(1);

	return "text " + worst([[c.text, c.page], [c.text, c.cursor], [c.faint, c.page], [c.alert, c.page], [c.page, c.flag],
				...hues.map((hue) => [c["slice-text"], hue])]) +
		", shapes " + worst([...["runnable", "blocked", "asleep", "unknown", "mark", "flag"].map((name) => [c[name], c.lane]),
				     [c.runnable, c["runnable-ground"]], [c.unknown, c["unknown-ground"]]]) +
		", slices " + worst(hues.map((hue) => [hue, c.lane]));
}

async function showContrast(browser) {
	await browser.open(rest[0]);
	console.log(await browser.value(`(${worstContrast})()`));
}

async function showDrawn(browser) {
	await browser.open();
	console.log(await browser.value(`(() => {
		const lines = [];
		for (const share of [1, 0.5, 0.05, 0.001]) {
			show(zoomed({ from: 0, to: whole }, whole, share, whole / 3));
			const start = performance.now();
			draw();
			lines.push(share + " " + element("timeline").dataset.drawn);
		}
		const view = viewNow();
		/* Of a pixel of a lane, there are at most the line of sleep and four states. */
		const lanes = Math.ceil(element("scroll").clientHeight / (TASK_HEIGHT + GAP)) + 1;
		lines.push("most " + (5 * view.width * lanes + 3 * view.width));
		return lines.join("\\n");
	})()`));
}

const commands = { policy: showPolicy, stretches: showStretches, turns: showTurns, totals: showTotals, text: showText,
		   details: showDetails, pieces: showPieces, size: showSize };
const inBrowser = { steps: showSteps, contrast: showContrast, drawn: showDrawn };

if (commands[command])
	commands[command]();
else
	run(file, inBrowser[command]);
