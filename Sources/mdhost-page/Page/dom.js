// Elements without a template language. Text goes in as text nodes only, so nothing that a device says becomes markup.

const svgNamespace = "http://www.w3.org/2000/svg"

/** Creates an element: `h("p.note.wide", { id: "x", click: act }, "Text")`. Functions are listeners. */
export function h(name, properties, ...children) {
	const [tag, ...classes] = name.split(".")
	const element = document.createElement(tag)
	if (classes.length) element.className = classes.join(" ")
	if (tag === "button") element.type = "button"
	for (const [key, value] of Object.entries(properties ?? {})) {
		if (typeof value === "function") element.addEventListener(key, value)
		else setAttribute(element, key, value)
	}
	element.append(...children.flat().filter((child) => child != null && child !== false))
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

/** Sets the text, and hides the element if there is none. */
export function setLine(element, text) {
	setText(element, text)
	show(element, Boolean(text))
}

export function show(element, isShown) {
	if (element.hidden === isShown) element.hidden = !isShown
}

/** Sets a custom property; the policy of the page allows no style attributes, and needs none. */
export function setVariable(element, name, value) {
	if (element.style.getPropertyValue(name) !== value) element.style.setProperty(name, value)
}

let shapes = {}
export function registerIcons(icons) {
	shapes = icons
}

export function icon(name) {
	const svg = document.createElementNS(svgNamespace, "svg")
	svg.setAttribute("viewBox", "0 0 24 24")
	svg.setAttribute("aria-hidden", "true")
	svg.classList.add("icon")
	drawIcon(svg, name)
	return svg
}

export function drawIcon(svg, name) {
	if (svg.dataset.icon === name) return
	svg.dataset.icon = name
	const path = document.createElementNS(svgNamespace, "path")
	const shape = shapes[name] ?? shapes.unknown
	if (shape.startsWith("!")) path.classList.add("solid")
	path.setAttribute("d", shape.replace("!", ""))
	svg.replaceChildren(path)
}

/** A button with an icon alone, named for everyone. */
export const iconButton = (name, label, click, properties) =>
	h("button", { class: "round", "aria-label": label, title: label, click, ...properties }, icon(name))

export function setIconButton(button, name, label) {
	drawIcon(button.firstElementChild, name)
	setAttribute(button, "aria-label", label)
	setAttribute(button, "title", label)
}

export const textButton = (label, click, properties) => h("button", { class: "button", click, ...properties }, label)

/** A button with an icon and a label. */
export const action = (name, label, click, className = "") =>
	h("button", { class: `button ${className}`, click }, icon(name), h("span", null, label))

export const submitButton = (label, ...before) => h("button.button.primary", { type: "submit" }, ...before, label)

/** Text of the host with `commands` in it, as elements. */
export function prose(text) {
	return String(text ?? "")
		.split(/`([^`]+)`/)
		.map((piece, index) => (index % 2 ? h("code", null, piece) : piece))
		.filter((piece) => piece !== "")
}

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

/** An element that is built once, at its first use. Its content is in the page itself, where the style sheet applies. */
export class Component extends HTMLElement {
	#isBuilt = false
	connectedCallback() {
		this.ready()
		this.attached?.()
	}
	disconnectedCallback() {
		this.detached?.()
	}
	ready() {
		if (this.#isBuilt) return
		this.#isBuilt = true
		this.build()
	}
}
