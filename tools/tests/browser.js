// SPDX-License-Identifier: GPL-2.0
/*
 * Shows an HTML page of kmprof dump in headless Chromium.
 *
 *	browser.js steps FILE STEP...	as page.js steps, with real keys and a real mouse
 *	browser.js columns FILE		for each column as formats.py column, by real mouse and keys, and
 *				what is not drawn as it should be
 *	browser.js loads FILE		what the page has asked for besides itself, and its errors
 *	browser.js colors FILE SCHEME	background and text of the page, light or dark
 *	browser.js shot FILE SCHEME PNG	a picture of it
 *	browser.js time FILE TEXT	ms until the page is drawn, and until TEXT was searched
 *
 * loads, colors and shot are for pages of kmprof trace, too.
 */
"use strict";

const fs = require("fs");
const path = require("path");
const { press, mouse, run, HEIGHT } = require("./chromium.js");
const inpage = require("./inpage.js");

const [, , command, file, ...rest] = process.argv;

/* The middle of the first frame of the graph that passes a test, in the window. */
async function frameAt(browser, test) {
	return await browser.value(`(() => {
		const frame = [...document.getElementById("graph").children].find(${test});
		frame.scrollIntoView({ block: "center" });
		const box = frame.getBoundingClientRect();
		return [box.left + box.width / 2, box.top + box.height / 2];
	})()`);
}

function isNamed(name) {
	return `(frame) => frame.textContent === ${JSON.stringify(name)}`;
}

async function click(browser, test) {
	const [x, y] = await frameAt(browser, test);

	await mouse(browser, "mousePressed", x, y);
	await mouse(browser, "mouseReleased", x, y);
	/* Away from the frame that is there now. */
	await mouse(browser, "mouseMoved", 1, HEIGHT - 1);
}

const actions = {
	async key(browser, key) {
		await browser.value(`document.getElementById("graph").focus()`);
		await press(browser, key);
	},
	async type(browser, text) {
		await browser.value(`document.getElementById("search").focus();
				     document.getElementById("search").select()`);
		if (text)
			await browser.send("Input.insertText", { text });
		else
			await press(browser, "Delete");
	},
	async column(browser, number) {
		await browser.value(`(() => {
			const column = document.getElementById("column");
			column.value = ${number};
			column.dispatchEvent(new Event("change"));
		})()`);
	},
	async click(browser, name) {
		await click(browser, isNamed(name));
	},
	async hover(browser, name) {
		const [x, y] = await frameAt(browser, isNamed(name));

		await mouse(browser, "mouseMoved", x, y);
	},
};

async function showPage(browser) {
	console.log(await browser.value(`[...document.getElementById("graph").children]
		.map((child) => child.textContent + [...child.classList]
			.filter((name) => name !== "frame").map((name) => "<" + name).join("")).join(" | ")`));
	console.log("  " + await browser.value(`["details", "found"].map((id) => document.getElementById(id).textContent)
		.filter((text) => text).join(" | ")`));
}

async function showSteps(browser) {
	await browser.open();
	await mouse(browser, "mouseMoved", 1, HEIGHT - 1);
	await showPage(browser);
	for (const step of rest) {
		const [, action, value] = step.match(/^(\w+)=(.*)$/);
		console.log("# " + step);
		await actions[action](browser, value);
		await showPage(browser);
	}
	console.log(await browser.value(`[...document.getElementById("functions").tBodies[0].rows]
		.map((row) => [...row.cells].map((cell) => cell.textContent).join(", ")).join("\\n")`));
	console.log("columns: " + await browser.value(`[...document.getElementById("column").children]
		.map((option) => option.textContent).join(", ")`));
	console.log(await browser.value(`"hidden: controls " + document.getElementById("controls").hidden +
		", main " + document.getElementById("main").hidden`));
}

/* In the column that is shown: zooms to the hottest stack's outermost function, and searches its innermost one. */
async function zoomAndSearch(browser, hottest) {
	const names = hottest.replace(/^\d+ /, "").split(";");
	const [outermost, innermost] = [names[0], names[names.length - 1]];

	await click(browser, `(frame) => frame.textContent.replace(/ \\[[^\\]]*\\]$/, "") ===
		${JSON.stringify(outermost)} && tree.parent[frame.dataset.node] === ROOT`);
	console.log("zoom " + outermost + " " + await browser.value(`state.zoom && tree.total[state.column][state.zoom]`));
	await actions.type(browser, "^" + innermost.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") + "( \\[|$)");
	console.log("search " + innermost + " " +
		await browser.value(`sumOf(tree, state.column, state.zoom, state.isFound)`));
}

async function showColumns(browser) {
	const complain = async () => (await browser.value(inpage.misdrawn)).forEach((line) => console.log(line));

	await browser.open();
	for (const [column, name] of Object.entries(await browser.value(`tree.columns.map((column) => column.name)`))) {
		await actions.column(browser, column);
		const stacks = await browser.value(inpage.stackLines);
		console.log(["# " + name, ...stacks].join("\n"));
		await complain();
		if (stacks.length === 0)
			continue;
		await zoomAndSearch(browser, stacks[0]);
		await complain();
		await actions.type(browser, "");
		await actions.key(browser, "Escape");
	}
}

async function showLoads(browser) {
	await browser.open();
	const texts = browser.events.map(({ method, params }) => ({
		"Network.requestWillBeSent": () => params.request.url === "file://" + path.resolve(file) ?
			"itself" : params.request.url,
		"Runtime.exceptionThrown": () => "exception: " + params.exceptionDetails.text,
		"Log.entryAdded": () => params.entry.level + ": " + params.entry.text,
	})[method]?.());
	console.log(texts.filter((text) => text).join("\n"));
}

async function showColors(browser) {
	await browser.open(rest[0]);
	console.log(await browser.value(`((style) => style.backgroundColor + " " + style.color)(
		getComputedStyle(document.body))`));
}

async function takeShot(browser) {
	await browser.open(rest[0]);
	const { data } = await browser.send("Page.captureScreenshot", { format: "png" });
	fs.writeFileSync(rest[1], Buffer.from(data, "base64"));
}

/* Comes after the next frame of the page, with all that belongs to it. */
const frameDrawn = `new Promise((done) => requestAnimationFrame(() => setTimeout(done)))`;

/* The browser itself has begun before. */
async function showTime(browser) {
	await browser.attach();
	const start = Date.now();

	await browser.load();
	await browser.value(frameDrawn);
	const opened = Date.now();
	await actions.type(browser, rest[0]);
	const found = await browser.value(`document.getElementById("found").textContent`);
	await browser.value(frameDrawn);
	console.log(`${opened - start} ms to open, ${Date.now() - opened} ms to search: ${found}`);
}

run(file, { steps: showSteps, columns: showColumns, loads: showLoads, colors: showColors, shot: takeShot,
	    time: showTime }[command]);
