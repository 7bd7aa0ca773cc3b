// Dialogs: from below on a phone, in the middle elsewhere.

import { freshID, h, icon, iconButton, setText, submitButton, textButton } from "./dom.js"
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
	const close = iconButton("close", t.close, () => sheet.close(), { class: "round close" })
	const frame = h("div.sheet-frame", null, h("header.sheet-head", null, heading, close), body)
	const dialog = h("dialog", { class: `sheet ${className}`, "aria-labelledby": id }, frame)
	const sheet = {
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
		// Messages may be in the dialog that goes; they move before it does.
		raise()
		dialog.remove()
	})
	dialog.showModal()
	refresh(null)
	raise()
	return sheet
}

export function section(title, ...children) {
	const id = freshID("section")
	const heading = h("h3", { id }, title)
	return h("section.block", { "aria-labelledby": id }, heading, ...children)
}

export function confirmSheet({ title, text, action }) {
	return new Promise((resolve) => {
		let isSure = false
		openSheet({
			title,
			className: "small",
			build(body, sheet) {
				const sure = () => {
					isSure = true
					sheet.close()
				}
				const stay = textButton(t.cancel, sheet.close, { autofocus: true })
				body.append(h("p", null, text), h("div.actions", null, stay, textButton(action, sure, { class: "button danger" })))
			},
			closed: () => resolve(isSure),
		})
	})
}

const texts = (name, line) => h("span.row-text", null, h("span", null, name), line && h("small", null, line))

export const row = (sign, name, line, ...controls) =>
	h("div.row", { role: "listitem" }, sign && icon(sign), texts(name, line.filter(Boolean).join(" · ")), ...controls)

export function field(label, properties, hint) {
	const id = freshID("field")
	const input = h("input", { id, autocomplete: "off", autocapitalize: "off", spellcheck: "false", ...properties, "aria-describedby": hint ? id + "-hint" : null })
	const element = h("div.field", null, h("label", { for: id }, label), input, hint && h("small", { id: id + "-hint" }, hint))
	return { element, input }
}

/**
 * Opens a dialog with a field, which stays until `submit` of its text has succeeded: with another answer than `false`.
 * What is beside the field goes into `parts`.
 */
export function askSheet({ title, text, input, action, submit, parts = [], alive }) {
	openSheet({
		title,
		className: "small",
		build(body, sheet) {
			const go = submitButton(action)
			const send = async (event) => {
				event.preventDefault()
				go.disabled = true
				const isDone = await submit(input.input.value.trim())
				go.disabled = false
				if (isDone === false) input.input.focus()
				else sheet.close()
			}
			body.append(
				h("form", { submit: send }, text && h("p", null, text), input.element, ...parts, h("div.actions", null, textButton(t.cancel, sheet.close), go)),
			)
			return alive
		},
	})
}

export function toggle(label, text, change) {
	const id = freshID("switch")
	const changed = async () => {
		input.disabled = true
		const wanted = input.checked
		const isDone = await change(wanted)
		input.disabled = false
		if (isDone === false) input.checked = !wanted
		input.focus()
	}
	const input = h("input.switch", { type: "checkbox", role: "switch", id, change: changed })
	return { element: h("div.row", null, h("label.row-text", { for: id }, texts(label, text)), input), input }
}
