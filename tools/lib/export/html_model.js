// SPDX-License-Identifier: GPL-2.0
/*
 * The tree of a profile, and what can be asked of it. Nothing here knows of a page.
 *
 * A profile has names, columns, and stacks in the order of their names, from the outermost
 * frame on: [frames that are those of the stack before, [the others], [values]]. So the
 * nodes of the tree come in the order of a walk through it: node 0 is the root, and what is
 * below node i are the nodes from i + 1 to end[i] - 1.
 */
"use strict";

const ROOT = 0;

function makeTree(profile) {
	let most = 1;
	for (const [, frames] of profile.stacks)
		most += frames.length;
	const tree = {
		names: ["all", ...profile.names],
		columns: profile.columns,
		size: most,
		name: new Uint32Array(most),
		parent: new Uint32Array(most),
		depth: new Uint32Array(most),
		end: new Uint32Array(most),
		self: profile.columns.map(() => new Float64Array(most)),
		total: profile.columns.map(() => new Float64Array(most)),
	};
	addStacks(tree, profile.stacks);
	addUp(tree);
	return tree;
}

function addStacks(tree, stacks) {
	const path = [ROOT];
	let next = 1;

	for (const [common, frames, values] of stacks) {
		while (path.length > common + 1)
			tree.end[path.pop()] = next;
		for (const frame of frames) {
			tree.name[next] = frame + 1;
			tree.parent[next] = path[path.length - 1];
			tree.depth[next] = path.length;
			path.push(next++);
		}
		const last = path[path.length - 1];
		values.forEach((value, column) => {
			tree.self[column][last] += value;
		});
	}
	while (path.length > 0)
		tree.end[path.pop()] = next;
}

function addUp(tree) {
	tree.total.forEach((total, column) => {
		total.set(tree.self[column]);
		for (let i = tree.size - 1; i > ROOT; i--)
			total[tree.parent[i]] += total[i];
	});
}

function nameOf(tree, node) {
	return tree.names[tree.name[node]];
}

/* The node and what it is in, the root first. */
function pathTo(tree, node) {
	const path = [node];

	while (node !== ROOT) {
		node = tree.parent[node];
		path.unshift(node);
	}
	return path;
}

/* Nodes right below one, which count something; the largest first. */
function childrenOf(tree, column, node) {
	const total = tree.total[column];
	const children = [];

	for (let i = node + 1; i < tree.end[node]; i = tree.end[i])
		if (total[i] > 0)
			children.push(i);
	return children.sort((a, b) => total[b] - total[a] || a - b);
}

/*
 * Where the frames are when @zoom has the whole width, which is 1: what it is in, itself, and
 * what is below, as far as it is @narrowest at least. What is narrower is counted.
 */
function layOut(tree, column, zoom, narrowest) {
	const total = tree.total[column];
	const frames = [];
	const left = [];
	let hidden = 0;

	for (const node of pathTo(tree, zoom))
		frames.push({ node, left: 0, width: 1, depth: tree.depth[node] });
	if (!(total[zoom] > 0))
		return { frames: frames, hidden: 0 };
	left[tree.depth[zoom] + 1] = 0;
	for (let i = zoom + 1; i < tree.end[zoom];) {
		const depth = tree.depth[i];
		const width = total[i] / total[zoom];
		if (width < narrowest) {
			for (let j = i; j < tree.end[i]; j++)
				hidden += total[j] > 0;
			left[depth] += width;
			i = tree.end[i];
			continue;
		}
		frames.push({ node: i, left: left[depth], width, depth });
		left[depth + 1] = left[depth];
		left[depth] += width;
		i++;
	}
	return { frames, hidden };
}

/*
 * For each name, whether the expression fits it, without regard to case. Throws a SyntaxError
 * for what is no expression. Nothing fits an empty one.
 */
function findNames(tree, text) {
	if (!text)
		return tree.names.map(() => false);
	const expression = new RegExp(text, "i");
	return tree.names.map((name, i) => i > 0 && expression.test(name));
}

/* What the frames of these names have in @zoom, each part once. */
function sumOf(tree, column, zoom, isFound) {
	const total = tree.total[column];
	let sum = 0;

	for (let i = zoom; i < tree.end[zoom];) {
		if (isFound[tree.name[i]]) {
			sum += total[i];
			i = tree.end[i];
		} else {
			i++;
		}
	}
	return sum;
}

/*
 * What each function has in @zoom, by itself and with all that it calls; one that calls itself
 * is counted once. The largest by itself first, @most of them.
 */
function functionsOf(tree, column, zoom, most) {
	const total = tree.total[column], self = tree.self[column];
	const sums = new Map();
	const until = new Map();

	for (let i = zoom; i < tree.end[zoom]; i++) {
		const name = tree.name[i];
		if (i === ROOT || !(total[i] > 0))
			continue;
		let sum = sums.get(name);
		if (!sum) {
			sum = { name: tree.names[name], self: 0, total: 0 };
			sums.set(name, sum);
		}
		sum.self += self[i];
		if (i < (until.get(name) || 0))
			continue;
		sum.total += total[i];
		until.set(name, tree.end[i]);
	}
	return [...sums.values()]
		.sort((a, b) => b.self - a.self || b.total - a.total || (a.name < b.name ? -1 : 1))
		.slice(0, most);
}

const UNITS = {
	bytes: [["TiB", 2 ** 40], ["GiB", 2 ** 30], ["MiB", 2 ** 20], ["KiB", 2 ** 10], ["B", 1]],
	nanoseconds: [["s", 1e9], ["ms", 1e6], ["us", 1e3], ["ns", 1]],
};

/* For people: three digits and more, and the unit. */
function showValue(value, unit) {
	const units = UNITS[unit];

	if (!units) {
		/* What is beyond has 15 digits that are known. */
		const digits = value > Number.MAX_SAFE_INTEGER ? { maximumSignificantDigits: 15 } : {};
		return value.toLocaleString("en", digits) + (unit === "count" ? "" : " " + unit);
	}
	const [name, factor] = units.find(([, least]) => value >= least) || units[units.length - 1];
	return (value / factor).toLocaleString("en", { maximumFractionDigits: 2 }) + " " + name;
}

function showShare(part, whole) {
	return (whole > 0 ? 100 * part / whole : 0).toFixed(2) + " %";
}
