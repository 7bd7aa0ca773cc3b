// Dialogs: from below on a phone, in the middle elsewhere. The browser keeps the focus inside and gives it back.

import { freshID, h, icon, iconButton, setText } from "./dom.js"
import { watch } from "./store.js"
import { t } from "./strings.js"
import { raise } from "./toasts.js"

/**
 * Opens a dialog. `build(body, sheet)` fills it and may return a function that is called after each change of the
 * state; it returns false to close the dialog.
 */
export function openSheet({ title, className = "", build, closed, dismissable = true }) {
	const id = freshID("title")
	const heading = h("h2", { id }, title)
	const body = h("div.sheet-body")
	const close = iconButton("close", t.close, () => sheet.close(), { class: "round small close" })
	const dialog = h(
		"dialog",
		{ class: `sheet ${className}`, "aria-labelledby": id },
		h("div.sheet-frame", null, h("header.sheet-head", null, heading, close), body),
	)
	const sheet = {
		dialog,
		body,
		setTitle: (text) => setText(heading, text),
		close: () => dialog.open && dialog.close(),
	}
	document.body.append(dialog)
	const update = build(body, sheet)
	const refresh = (change) => {
		if (update?.(change) === false) sheet.close()
	}
	const unwatch = watch(refresh)
	let pressedOutside = false
	dialog.addEventListener("pointerdown", (event) => (pressedOutside = event.target === dialog))
	dialog.addEventListener("click", (event) => {
		if (dismissable && pressedOutside && event.target === dialog) sheet.close()
	})
	dialog.addEventListener("close", () => {
		unwatch()
		closed?.()
		raiseAfter(dialog)
	})
	dialog.showModal()
	refresh(null)
	raise()
	return sheet
}

// Messages may be in the dialog that goes; they move before it does.
function raiseAfter(dialog) {
	raise()
	dialog.remove()
}

/** A list of things to do or to choose, one below the other. */
export function section(title, ...children) {
	const id = freshID("section")
	const heading = h("h3", { id }, title)
	return h("section.block", { "aria-labelledby": id }, heading, ...children)
}

/** Asks before something that can't be undone. Resolves to whether to go on. */
export function confirmSheet({ title, text, action }) {
	return new Promise((resolve) => {
		let isSure = false
		openSheet({
			title,
			className: "small",
			build(body, sheet) {
				const go = h("button.button.danger", { click: () => ((isSure = true), sheet.close()) }, action)
				const stay = h("button.button", { autofocus: true, click: () => sheet.close() }, t.cancel)
				body.append(h("p", null, text), h("div.actions", null, stay, go))
			},
			closed: () => resolve(isSure),
		})
	})
}

/** A line of a list: its sign, its name, a smaller line, and what can be done. */
export const row = (sign, name, line, ...controls) =>
	h(
		"div.row",
		{ role: "listitem" },
		sign && icon(sign),
		h("span.row-text", null, h("span", null, name), h("small", null, line.filter(Boolean).join(" · "))),
		...controls,
	)

/** A text field with its label and a hint. */
export function field(label, properties, hint) {
	const id = freshID("field")
	const input = h("input", { id, autocomplete: "off", autocapitalize: "off", spellcheck: "false", ...properties, "aria-describedby": hint ? id + "-hint" : null })
	const element = h(
		"div.field",
		null,
		h("label", { for: id }, label),
		input,
		hint ? h("small", { id: id + "-hint" }, hint) : null,
	)
	return { element, input }
}

/** A switch with a label and a line about it. */
export function toggle(label, text, change) {
	const id = freshID("switch")
	const input = h("input", { type: "checkbox", role: "switch", id, class: "switch" })
	input.addEventListener("change", async () => {
		input.disabled = true
		const wanted = input.checked
		const isDone = await change(wanted)
		input.disabled = false
		if (isDone === false) input.checked = !wanted
		input.focus()
	})
	const element = h(
		"div.row.toggle",
		null,
		h("label", { for: id, class: "row-text" }, h("span", null, label), text ? h("small", null, text) : null),
		input,
	)
	return { element, input }
}
