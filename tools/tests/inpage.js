// SPDX-License-Identifier: GPL-2.0
/*
 * What is asked of an HTML page of kmprof dump in its own words: expressions that page.js
 * evaluates in its stand-in, and browser.js in Chromium. They see the page's variables.
 */
"use strict";

/* Value and stack of the column that is shown, in lines as formats.py has them. */
function stackLines() {
	const plain = (node) => nameOf(tree, node).replace(/ \[[^\]]*\]$/, "");
	const sums = new Map();

	for (let node = 1; node < tree.size; node++) {
		const value = tree.self[state.column][node];
		const stack = pathTo(tree, node).slice(1).map(plain).join(";");
		if (value)
			sums.set(stack, (sums.get(stack) || 0) + value);
	}
	return [...sums].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
		.map(([stack, value]) => value + " " + stack);
}

/*
 * Complaints of frames that are not drawn where the sums of the column that is shown belong, or
 * without their number, or that are not there although they have the width for it; and of what was
 * found, the same.
 */
function misdrawn() {
	const graph = element("graph").getBoundingClientRect();
	const total = tree.total[state.column];
	const all = total[state.zoom];
	const complaints = [];
	const left = new Map([[state.zoom, 0]]);
	const found = new Map([...element("graph").children].map((frame) => [Number(frame.dataset.node), frame]));

	for (let node = state.zoom; node < tree.end[state.zoom]; node++) {
		const parent = node === state.zoom ? 0 : left.get(tree.parent[node]);
		const width = total[node] / all * graph.width;
		left.set(node, parent);
		if (node !== state.zoom)
			left.set(tree.parent[node], parent + width);
		const frame = found.get(node);
		if (!frame) {
			if (width > NARROWEST_PIXELS + 0.1)
				complaints.push(nameOf(tree, node) + " is not drawn");
			continue;
		}
		const box = frame.getBoundingClientRect();
		const text = nameOf(tree, node) + ": " + showValue(total[node], tree.columns[state.column].unit) + ", ";
		if (Math.abs(box.left - graph.left - parent) > 1 || Math.abs(box.width - width) > 1)
			complaints.push(text + "at " + (box.left - graph.left) + ", " + box.width + " wide, not at " +
				parent + ", " + width);
		if (frame.textContent !== nameOf(tree, node) || !frame.title.startsWith(text))
			complaints.push(text + "is " + frame.textContent + ", " + frame.title);
	}
	const sum = sumOf(tree, state.column, state.zoom, state.isFound);
	const text = element("found").textContent;
	if (text !== "" && !text.startsWith(showValue(sum, tree.columns[state.column].unit) + ", "))
		complaints.push("found " + sum + ": " + text);
	return complaints;
}

exports.stackLines = `(${stackLines})()`;
exports.misdrawn = `(${misdrawn})()`;
