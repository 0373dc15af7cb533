// SPDX-License-Identifier: GPL-2.0
/*
 * Headless Chromium with one page, real keys and a real mouse, for browser.js and timeline.js.
 *
 * It speaks the DevTools protocol over two pipes: messages in JSON, each with a NUL behind it.
 */
"use strict";

const { spawn } = require("child_process");
const fs = require("fs");
const os = require("os");
const path = require("path");

const LIMIT_MS = 120000; /* for what hangs */
const AGAIN_MS = 50;
const WIDTH = 1200, HEIGHT = 900;

class Browser {
	constructor(file) {
		this.file = file;
		this.home = fs.mkdtempSync(path.join(os.tmpdir(), "browser-"));
		this.process = spawn("chromium", [
			"--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
			"--disable-extensions", "--no-first-run", "--user-data-dir=" + this.home,
			"--remote-debugging-pipe", "about:blank",
		], {
			stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
			/* A process group of its own, for all the processes that it makes. */
			detached: true,
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
		console.error(path.basename(process.argv[1]) + ": " + why);
		this.end(1);
	}
	end(status) {
		this.process.removeAllListeners("exit");
		this.process.once("exit", () => this.remove(status, LIMIT_MS / AGAIN_MS));
		if (!this.process.pid)
			process.exit(status);
		this.kill();
		if (this.process.exitCode !== null || this.process.signalCode !== null)
			this.remove(status, LIMIT_MS / AGAIN_MS);
	}
	/* Those that outlive the first process would go on to write. */
	kill() {
		try {
			process.kill(-this.process.pid, "SIGKILL");
		} catch (error) {
			if (error.code !== "ESRCH")
				throw error;
		}
	}
	/* The last of them may still be in a system call that makes a file. */
	remove(status, tries) {
		try {
			fs.rmSync(this.home, { recursive: true, force: true });
		} catch (error) {
			if (error.code !== "ENOTEMPTY" || !tries)
				throw error;
			setTimeout(() => this.remove(status, tries - 1), AGAIN_MS);
			return;
		}
		process.exit(status);
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
	/* The value of an expression of the page, or what its promise comes to. */
	async value(expression) {
		const { result, exceptionDetails } = await this.send("Runtime.evaluate",
			{ expression, returnByValue: true, awaitPromise: true });

		if (exceptionDetails)
			throw new Error(expression + ": " + exceptionDetails.exception.description);
		return result.value;
	}
	/* An empty page, in its window. */
	async attach(scheme) {
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
	}
	/* The page, after attach(). */
	async load() {
		const loaded = this.event("Page.loadEventFired");
		await this.send("Page.navigate", { url: "file://" + path.resolve(this.file) });
		await loaded;
	}
	async open(scheme) {
		await this.attach(scheme);
		await this.load();
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

/* Starts Chromium for a page, and ends the program when the work is done. */
async function run(file, work) {
	const browser = new Browser(file);

	setTimeout(() => browser.fail("no answer for " + LIMIT_MS / 1000 + " s"), LIMIT_MS).unref();
	try {
		await work(browser);
		browser.end(0);
	} catch (error) {
		browser.fail(error.message);
	}
}

Object.assign(exports, { press, mouse, run, WIDTH, HEIGHT });
