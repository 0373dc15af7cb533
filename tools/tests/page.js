// SPDX-License-Identifier: GPL-2.0
/*
 * Runs the scripts of an HTML page of kmprof dump, without a browser.
 *
 *	page.js stacks FILE	value and stack of the column that is shown, as formats.py stacks
 *	page.js policy FILE	whether the page allows the scripts and styles that it has
 *	page.js steps FILE STEP...	what the page shows after each step: key=K, type=TEXT,
 *				column=NUMBER, click=NAME, hover=NAME
 *
 * The document is a stand-in with no more than html_view.js asks for: it proves that the
 * scripts run and what they show, not what it looks like.
 */
"use strict";

const crypto = require("crypto");
const fs = require("fs");
const vm = require("vm");
const inpage = require("./inpage.js");

const [, , command, file, ...steps] = process.argv;
const page = fs.readFileSync(file, "utf8");
const data = page.match(/<script type="application\/json" id="profile">([^]*?)<\/script>/)[1];
const scripts = [...page.matchAll(/<script>([^]*?)<\/script>/g)].map((match) => match[1]);

/* An element, as far as the page uses it. */
class Element {
	constructor() {
		this.children = [];
		this.dataset = {};
		this.classes = new Set();
		this.listeners = {};
		this.clientWidth = 1200;
		this.text = "";
		this.style = {
			setProperty: () => {},
		};
		this.classList = {
			add: (name) => this.classes.add(name),
			remove: (name) => this.classes.delete(name),
			toggle: (name, on) => on ? this.classes.add(name) : this.classes.delete(name),
		};
	}
	set className(name) {
		this.classes = new Set([name]);
	}
	get textContent() {
		return this.text + this.children.map((child) => child.textContent).join(" ");
	}
	set textContent(text) {
		this.text = text;
	}
	append(child) {
		this.children.push(child);
	}
	replaceChildren(fragment) {
		this.children = fragment ? fragment.children : [];
	}
	insertRow() {
		this.append(new Element());
		return this.children[this.children.length - 1];
	}
	insertCell() {
		return this.insertRow();
	}
	closest() {
		return this.classes.has("frame") ? this : null;
	}
	setCustomValidity(text) {
		this.invalid = text;
	}
	addEventListener(name, listener) {
		this.listeners[name] = listener;
	}
	focus() {
		Element.focused = this;
	}
	scrollIntoView() {
	}
	send(name, event) {
		this.listeners[name]({ target: this, preventDefault: () => {}, ...event });
	}
}

function load() {
	const elements = {};
	const element = (id) => elements[id] ??= new Element();
	const context = vm.createContext({
		document: {
			getElementById: element,
			createElement: () => new Element(),
			createDocumentFragment: () => new Element(),
		},
		window: new Element(),
		requestAnimationFrame: () => 0,
		cancelAnimationFrame: () => {},
	});

	element("profile").textContent = data;
	element("functions").tBodies = [new Element()];
	element("search").value = "";
	for (const script of scripts)
		vm.runInContext(script, context);
	return { context, element };
}

function showStacks() {
	vm.runInContext(inpage.stackLines, load().context).forEach((line) => console.log(line));
}

function showPolicy() {
	const policy = page.match(/http-equiv="Content-Security-Policy" content="([^"]*)"/)[1];
	const hash = (text) => "'sha256-" + crypto.createHash("sha256").update(text).digest("base64") + "'";
	const style = page.match(/<style>([^]*?)<\/style>/)[1];

	console.log(policy.replace(hash(scripts[0]), "model").replace(hash(scripts[1]), "view")
		.replace(hash(style), "style"));
}

function showPage(element) {
	const frame = (child) => child.textContent +
		[...child.classes].filter((name) => name !== "frame").map((name) => "<" + name).join("");

	console.log(element("graph").children.map(frame).join(" | "));
	console.log("  " + [element("details"), element("found")].map((e) => e.textContent)
		.filter((text) => text).join(" | "));
}

function showSteps() {
	const { element } = load();
	const graph = element("graph");
	const frame = (name) => graph.children.find((child) => child.textContent === name);
	const actions = {
		key: (key) => graph.send("keydown", { key }),
		type: (text) => {
			element("search").value = text;
			element("search").send("input");
		},
		column: (number) => {
			element("column").value = number;
			element("column").send("change");
		},
		click: (name) => graph.send("click", { target: frame(name) }),
		hover: (name) => graph.send("mouseover", { target: frame(name) }),
	};

	showPage(element);
	for (const step of steps) {
		const [, action, value] = step.match(/^(\w+)=(.*)$/);
		console.log("# " + step);
		actions[action](value);
		showPage(element);
	}
	console.log(element("functions").tBodies[0].children
		.map((row) => row.children.map((cell) => cell.textContent).join(", ")).join("\n"));
	console.log("columns: " + element("column").children.map((e) => e.textContent).join(", "));
	console.log("hidden: controls " + element("controls").hidden + ", main " + element("main").hidden);
}

({ stacks: showStacks, policy: showPolicy, steps: showSteps })[command]();
