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
 * It speaks the DevTools protocol over two pipes: messages in JSON, each with a NUL behind it.
 */
"use strict";

const { spawn } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");
const inpage = require("./inpage.js");

const [, , command, file, ...rest] = process.argv;
const LIMIT_MS = 120000; /* for what hangs */
const WIDTH = 1200, HEIGHT = 900;

class Browser {
	constructor() {
		this.home = fs.mkdtempSync(path.join(os.tmpdir(), "browser-"));
		this.process = spawn("chromium", [
			"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
			"--disable-extensions", "--no-first-run", "--user-data-dir=" + this.home,
			"--remote-debugging-pipe", "about:blank",
		], {
			stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
			env: { ...process.env, HOME: this.home, TMPDIR: this.home },
		});
		this.process.on("error", (error) => this.fail("chromium: " + error.message));
		this.process.on("exit", () => this.fail("chromium has ended"));
		this.answers = new Map();
		this.events = [];
		this.waiting = [];
		this.last = 0;
		let text = "";
		this.process.stdio[4].setEncoding("utf8").on("data", (data) => {
			const messages = (text + data).split("\0");
			text = messages.pop();
			messages.forEach((message) => this.receive(JSON.parse(message)));
		});
	}
	fail(why) {
		console.error("browser.js: " + why);
		this.end(1);
	}
	end(status) {
		this.process.removeAllListeners("exit");
		this.process.once("exit", () => {
			fs.rmSync(this.home, { recursive: true, force: true, maxRetries: 10 });
			process.exit(status);
		});
		if (this.process.exitCode !== null || !this.process.pid)
			process.exit(status);
		this.process.kill("SIGKILL");
	}
	receive(message) {
		if (!message.id) {
			this.events.push(message);
			this.waiting.filter((wait) => wait.method === message.method).forEach((wait) => wait.done());
			return;
		}
		const { done, failed } = this.answers.get(message.id);
		this.answers.delete(message.id);
		if (message.error)
			failed(new Error(message.error.message));
		else
			done(message.result);
	}
	send(method, params = {}) {
		const id = ++this.last;

		this.process.stdio[3].write(JSON.stringify({ id, method, params, sessionId: this.session }) + "\0");
		return new Promise((done, failed) => this.answers.set(id, { done, failed }));
	}
	event(method) {
		return new Promise((done) => this.waiting.push({ method, done }));
	}
	/* The value of an expression of the page. */
	async value(expression) {
		const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, returnByValue: true });

		if (exceptionDetails)
			throw new Error(expression + ": " + exceptionDetails.exception.description);
		return result.value;
	}
	async open(scheme) {
		const { targetInfos } = await this.send("Target.getTargets");
		const { targetId } = targetInfos.find((target) => target.type === "page");

		this.session = (await this.send("Target.attachToTarget", { targetId, flatten: true })).sessionId;
		for (const domain of ["Page", "Runtime", "Log", "Network"])
			await this.send(domain + ".enable");
		await this.send("Emulation.setDeviceMetricsOverride",
				{ width: WIDTH, height: HEIGHT, deviceScaleFactor: 1, mobile: false });
		if (scheme)
			await this.send("Emulation.setEmulatedMedia",
					{ features: [{ name: "prefers-color-scheme", value: scheme }] });
		const loaded = this.event("Page.loadEventFired");
		await this.send("Page.navigate", { url: "file://" + path.resolve(file) });
		await loaded;
	}
}

const KEYS = { ArrowUp: 38, ArrowDown: 40, ArrowLeft: 37, ArrowRight: 39, Home: 36, Enter: 13, Escape: 27, Delete: 46 };

async function press(browser, key) {
	const event = { key, windowsVirtualKeyCode: KEYS[key] ?? key.toUpperCase().charCodeAt(0) };

	if (key.length === 1)
		event.text = key;
	await browser.send("Input.dispatchKeyEvent", { type: event.text ? "keyDown" : "rawKeyDown", ...event });
	await browser.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
}

async function mouse(browser, type, x, y) {
	const button = type === "mouseMoved" ? "none" : "left";

	await browser.send("Input.dispatchMouseEvent", { type, x, y, button, clickCount: 1 });
}

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

async function showTime(browser) {
	const start = Date.now();

	await browser.open();
	const open = Date.now() - start;
	const searched = Date.now();
	await actions.type(browser, rest[0]);
	const found = await browser.value(`document.getElementById("found").textContent`);
	console.log(open + " ms to open, " + (Date.now() - searched) + " ms to search: " + found);
}

async function main() {
	const browser = new Browser();

	setTimeout(() => browser.fail("no answer for " + LIMIT_MS / 1000 + " s"), LIMIT_MS).unref();
	try {
		await ({ steps: showSteps, columns: showColumns, loads: showLoads, colors: showColors, shot: takeShot,
			 time: showTime })[command](browser);
		browser.end(0);
	} catch (error) {
		browser.fail(error.message);
	}
}

main();
