// SPDX-License-Identifier: GPL-2.0
/*
 * Rectangles and texts on a canvas. There may be some ten thousand rectangles, each a pixel wide,
 * and a canvas takes its time for each: they are filled here, in an image that is put on the
 * canvas as a whole. Texts, and what else the canvas does, come on top of that.
 */
"use strict";

/* Pixels of a character, and the least number of them that is worth to be shown. */
const CHARACTER = 6.2, LEAST_TEXT = 3;
const FONT = "11px system-ui, sans-serif";

const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
const knownPixels = new Map();

/* A colour as it is in an image. */
function pixelOf(colour) {
	let pixel = knownPixels.get(colour);

	if (pixel === undefined) {
		probe.fillStyle = colour;
		probe.fillRect(0, 0, 1, 1);
		pixel = new Uint32Array(probe.getImageData(0, 0, 1, 1).data.buffer)[0];
		knownPixels.set(colour, pixel);
	}
	return pixel;
}

/* What can be filled with: a colour, or stripes of it on another one, upright or slanted. */
function stripesOf(colour, ground, isSlanted) {
	return { pixel: pixelOf(colour), ground: pixelOf(ground), isSlanted };
}

function inkOf(style) {
	return typeof style === "string" ? { pixel: pixelOf(style), ground: null } : style;
}

/* Makes the canvas as large as it is shown, and empty. */
function makePen(canvas, width, height, ground) {
	const context = canvas.getContext("2d");
	const ratio = window.devicePixelRatio || 1;

	canvas.width = Math.round(width * ratio);
	canvas.height = Math.round(height * ratio);
	const image = context.createImageData(canvas.width, canvas.height);
	const pixels = new Uint32Array(image.data.buffer);
	pixels.fill(pixelOf(ground));
	return {
		context, ratio, image, pixels, columns: image.width, rows: image.height, texts: [],
		drawn: 0,
	};
}

/* Each rectangle has a pixel at least; what is next to each other does not overlap. */
function fill(pen, x, y, width, height, style) {
	const { pixels, ratio, columns, rows } = pen;
	const { pixel, ground, isSlanted } = inkOf(style);
	const left = Math.max(0, Math.round(x * ratio)), top = Math.max(0, Math.round(y * ratio));
	const right = Math.min(columns, Math.max(left + 1, Math.round((x + width) * ratio)));
	const bottom = Math.min(rows, Math.max(top + 1, Math.round((y + height) * ratio)));
	const stripe = Math.round(2 * ratio), period = (isSlanted ? 3 : 2) * stripe;

	pen.drawn++;
	for (let row = top; row < bottom; row++) {
		const shift = isSlanted ? row : 0;
		for (let at = left; at < right; at++)
			pixels[row * columns + at] = ground === null ||
				(at + shift) % period < stripe ? pixel : ground;
	}
}

/* As much of a text as has room. */
function write(pen, text, x, y, width, style) {
	const most = Math.floor(width / CHARACTER);

	if (text && most >= Math.min(LEAST_TEXT, text.length))
		pen.texts.push({ text: text.slice(0, most), x, y, style });
}

/* Shows all that; what the canvas draws itself comes later. */
function finish({ context, ratio, image, texts }) {
	context.putImageData(image, 0, 0);
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.font = FONT;
	context.textBaseline = "middle";
	for (const { text, x, y, style } of texts) {
		context.fillStyle = style;
		context.fillText(text, x, y);
	}
}
