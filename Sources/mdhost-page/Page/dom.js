// Elements without a template language. Text goes in as text nodes only, so nothing that a device says becomes markup.

import { icons } from "./icons.js"

const svg = (name) => document.createElementNS("http://www.w3.org/2000/svg", name)

/** `h("p.note.wide", { id: "x", click: act }, "Text")`: functions are listeners. */
export function h(name, properties, ...children) {
	const [tag, ...classes] = name.split(".")
	const element = document.createElement(tag)
	if (classes.length) element.className = classes.join(" ")
	if (tag === "button") element.type = "button"
	for (const [key, value] of Object.entries(properties ?? {})) {
		if (typeof value === "function") element.addEventListener(key, value)
		else setAttribute(element, key, value)
	}
	element.append(...children.flat().filter((child) => child != null && child !== false && child !== ""))
	return element
}

export function setAttribute(element, name, value) {
	if (value == null || value === false) {
		if (element.hasAttribute(name)) element.removeAttribute(name)
	} else {
		const text = value === true ? "" : String(value)
		if (element.getAttribute(name) !== text) element.setAttribute(name, text)
	}
}

export function setText(element, text) {
	const value = text ?? ""
	if (element.textContent !== value) element.textContent = value
}

export function setLine(element, text) {
	setText(element, text)
	show(element, Boolean(text))
}

export function show(element, isShown) {
	if (element.hidden === isShown) element.hidden = !isShown
}

// The policy of the page allows no style attributes.
export function setVariable(element, name, value) {
	if (element.style.getPropertyValue(name) !== value) element.style.setProperty(name, value)
}

export function icon(name) {
	const element = svg("svg")
	element.setAttribute("viewBox", "0 0 24 24")
	element.setAttribute("aria-hidden", "true")
	element.classList.add("icon")
	drawIcon(element, name)
	return element
}

export function drawIcon(element, name) {
	if (element.dataset.icon === name) return
	element.dataset.icon = name
	const path = svg("path")
	const shape = icons[name] ?? icons.unknown
	if (shape.startsWith("!")) path.classList.add("solid")
	path.setAttribute("d", shape.replace("!", ""))
	element.replaceChildren(path)
}

export const iconButton = (name, label, click, properties) =>
	h("button", { class: "round", "aria-label": label, title: label, click, ...properties }, icon(name))

export function setName(element, name) {
	setAttribute(element, "aria-label", name)
	setAttribute(element, "title", name)
}

export function setIconButton(button, name, label) {
	drawIcon(button.firstElementChild, name)
	setName(button, label)
}

/** Builds the children anew if what they show has changed, otherwise leaves them and the focus alone. */
export function keyed(element, content, children) {
	const key = JSON.stringify(content)
	if (element.dataset.key === key) return
	element.dataset.key = key
	element.replaceChildren(...children())
}

export const textButton = (label, click, properties) => h("button", { class: "button", click, ...properties }, label)

export const action = (name, label, click, className = "") =>
	h("button", { class: `button ${className}`, click }, icon(name), h("span", null, label))

export const submitButton = (label, ...before) => h("button.button.primary", { type: "submit" }, ...before, label)

/** Text of the host with `commands` in it, as elements. */
export const prose = (text) => (text ?? "").split(/`([^`]+)`/).map((piece, index) => (index % 2 ? h("code", null, piece) : piece))

let count = 0
export const freshID = (prefix) => `${prefix}-${++count}`

/** Brings the children of `parent` into the order of `elements`, moving as few as possible so that focus stays. */
export function arrange(parent, elements) {
	let place = parent.firstChild
	for (const element of elements) {
		if (element === place) place = place.nextSibling
		else parent.insertBefore(element, place)
	}
	while (place) {
		const next = place.nextSibling
		place.remove()
		place = next
	}
}
