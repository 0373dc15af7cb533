// SPDX-License-Identifier: GPL-2.0
/*
 * The page: draws the tree of html_model.js and follows mouse and keyboard. Text from the
 * profile becomes text nodes only, never markup.
 */
"use strict";

const NARROWEST_PIXELS = 1.5;
const FUNCTIONS_SHOWN = 30;

const element = (id) => document.getElementById(id);
const profile = JSON.parse(element("profile").textContent);
const tree = makeTree(profile);
const state = {
	column: profile.shown,
	zoom: ROOT,
	selected: ROOT,
	isFound: findNames(tree, ""),
};
/* The frames that are drawn, by their nodes. */
const drawn = new Map();

function describe(node) {
	const total = tree.total[state.column];
	const unit = tree.columns[state.column].unit;

	return nameOf(tree, node) + ": " + showValue(total[node], unit) + ", " +
		showShare(total[node], total[ROOT]) + " of all" +
		(state.zoom === ROOT || node === ROOT ? "" :
		 ", " + showShare(total[node], total[state.zoom]) + " of " + nameOf(tree, state.zoom));
}

/* The same function has the same colour in each profile; modules have others. */
function hueOf(name) {
	let hash = 0;

	for (let i = 0; i < name.length; i++)
		hash = (hash * 31 + name.charCodeAt(i)) % 65521;
	return / \[[^\]]*\]$/.test(name) ? 175 + hash % 60 : 12 + hash % 45;
}

function makeFrame(place) {
	const name = nameOf(tree, place.node);
	const frame = document.createElement("div");

	frame.className = "frame";
	frame.dataset.node = place.node;
	frame.textContent = name;
	frame.title = describe(place.node);
	frame.style.setProperty("--hue", hueOf(name));
	frame.style.setProperty("--depth", place.depth);
	frame.style.left = 100 * place.left + "%";
	frame.style.width = 100 * place.width + "%";
	frame.classList.toggle("above", place.depth < tree.depth[state.zoom]);
	frame.classList.toggle("found", state.isFound[tree.name[place.node]]);
	frame.classList.toggle("selected", place.node === state.selected);
	return frame;
}

function drawGraph() {
	const graph = element("graph");
	const width = Math.max(graph.clientWidth, 100);
	const { frames, hidden } = layOut(tree, state.column, state.zoom, NARROWEST_PIXELS / width);
	const fragment = document.createDocumentFragment();
	let deepest = 0;

	drawn.clear();
	for (const place of frames) {
		const frame = makeFrame(place);
		drawn.set(place.node, frame);
		fragment.append(frame);
		deepest = Math.max(deepest, place.depth);
	}
	graph.replaceChildren(fragment);
	graph.style.setProperty("--rows", deepest + 1);
	graph.dataset.hidden = hidden;
}

function drawFunctions() {
	const total = tree.total[state.column][ROOT];
	const unit = tree.columns[state.column].unit;
	const body = element("functions").tBodies[0];

	body.replaceChildren();
	for (const sum of functionsOf(tree, state.column, state.zoom, FUNCTIONS_SHOWN)) {
		const row = body.insertRow();
		for (const text of [showValue(sum.self, unit), showShare(sum.self, total),
				    showValue(sum.total, unit), showShare(sum.total, total), sum.name])
			row.insertCell().textContent = text;
	}
}

function showFound() {
	const input = element("search");
	let text = "";

	try {
		state.isFound = findNames(tree, input.value);
		input.setCustomValidity("");
		if (input.value) {
			const sum = sumOf(tree, state.column, state.zoom, state.isFound);
			text = showValue(sum, tree.columns[state.column].unit) + ", " +
				showShare(sum, tree.total[state.column][state.zoom]) + " of what is shown";
		}
	} catch (error) {
		state.isFound = findNames(tree, "");
		input.setCustomValidity("not a regular expression");
		text = "not a regular expression";
	}
	element("found").textContent = text;
	for (const [node, frame] of drawn)
		frame.classList.toggle("found", state.isFound[tree.name[node]]);
}

function showDetails(node) {
	const hidden = Number(element("graph").dataset.hidden);
	let text = describe(node);

	if (tree.total[state.column][ROOT] === 0)
		text = "There is nothing in this column.";
	else if (hidden)
		text += ". Too narrow to be drawn: " + hidden + " frames; zoom in to see them.";
	element("details").textContent = text;
}

function select(node) {
	drawn.get(state.selected)?.classList.remove("selected");
	state.selected = node;
	drawn.get(node)?.classList.add("selected");
	drawn.get(node)?.scrollIntoView({ block: "nearest" });
	showDetails(node);
}

function draw() {
	drawGraph();
	drawFunctions();
	showFound();
	showDetails(state.selected);
	element("out").disabled = state.zoom === ROOT;
}

function zoomTo(node) {
	state.zoom = node;
	state.selected = node;
	draw();
}

function showColumn(column) {
	state.column = column;
	element("column").value = column;
	/* There may be nothing of it where the other column was looked at. */
	while (state.zoom !== ROOT && !(tree.total[column][state.zoom] > 0))
		state.zoom = tree.parent[state.zoom];
	zoomTo(state.zoom);
}

/* The next frame beside the selected one, in the direction of -1 or 1. */
function beside(direction) {
	const node = state.selected;

	if (node === ROOT)
		return node;
	const siblings = childrenOf(tree, state.column, tree.parent[node]).sort((a, b) => a - b);
	return siblings[siblings.indexOf(node) + direction] ?? node;
}

const keys = {
	ArrowUp: () => select(tree.parent[state.selected]),
	ArrowDown: () => select(childrenOf(tree, state.column, state.selected)[0] ?? state.selected),
	ArrowLeft: () => select(beside(-1)),
	ArrowRight: () => select(beside(1)),
	Home: () => select(ROOT),
	Enter: () => zoomTo(state.selected),
	Escape: () => zoomTo(tree.parent[state.zoom]),
	c: () => showColumn((state.column + 1) % tree.columns.length),
	"/": () => element("search").focus(),
};

function fillColumns() {
	tree.columns.forEach((column, i) => {
		const option = document.createElement("option");
		option.value = i;
		option.textContent = column.name + " (" + column.unit + ")";
		element("column").append(option);
	});
	element("column").value = state.column;
}

function nodeAt(event) {
	const frame = event.target.closest(".frame");

	return frame ? Number(frame.dataset.node) : null;
}

function start() {
	const graph = element("graph");
	let redraw = 0;

	element("controls").hidden = false;
	element("main").hidden = false;
	graph.addEventListener("click", (event) => {
		const node = nodeAt(event);
		if (node !== null)
			zoomTo(node);
	});
	graph.addEventListener("mouseover", (event) => {
		const node = nodeAt(event);
		if (node !== null)
			showDetails(node);
	});
	graph.addEventListener("mouseleave", () => showDetails(state.selected));
	graph.addEventListener("keydown", (event) => {
		if (event.ctrlKey || event.altKey || event.metaKey || !Object.hasOwn(keys, event.key))
			return;
		event.preventDefault();
		keys[event.key]();
	});
	element("column").addEventListener("change", (event) => showColumn(Number(event.target.value)));
	element("search").addEventListener("input", showFound);
	element("search").addEventListener("keydown", (event) => {
		if (event.key === "Escape" || event.key === "Enter")
			graph.focus();
	});
	element("out").addEventListener("click", () => zoomTo(ROOT));
	window.addEventListener("resize", () => {
		cancelAnimationFrame(redraw);
		redraw = requestAnimationFrame(draw);
	});
	fillColumns();
	draw();
}

start();
