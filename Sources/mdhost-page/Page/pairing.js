// Pairing: the page is the agent that asks for codes, passwords and confirmations.

import { h, icon, iconButton, prose, setAttribute, setLine, setText, show } from "./dom.js"
import { isReachable } from "./model.js"
import { openSheet } from "./sheet.js"
import { can, state } from "./store.js"
import { t } from "./strings.js"
import { act, say } from "./toasts.js"

// One dialog at a time; the next prompt follows.
let shown = null

export function updatePrompts() {
	if (shown || !can("control")) return
	const next = Object.values(state.prompts)[0]
	if (next) ask(next)
}

function ask(first) {
	const device = first.device
	let prompt = first
	let isOurs = false
	let isWaiting = false
	openSheet({
		title: t.pairing.title(first.name),
		className: "pairing small",
		dismissable: false,
		build(body, sheet) {
			shown = sheet
			const lead = h("p.lead")
			const reason = h("p.reason")
			const attempts = h("p.faint")
			const notes = h("div", { role: "alert", class: "notes" }, reason, attempts)
			const code = h("p.compare", { "aria-live": "polite" })
			const entry = h("div.entry")
			const go = h("button", { type: "submit", class: "button primary" })
			const no = h("button.button", { click: () => cancel() })
			const form = h("form.pairing-form", { novalidate: true }, lead, code, entry, notes, h("div.actions", null, no, go))
			body.append(form)
			let input = null
			let boxes = []

			const draw = () => {
				boxes.forEach((box, index) => {
					setText(box, input.value[index] ?? "")
					box.classList.toggle("next", index === Math.min(input.value.length, boxes.length - 1))
				})
			}

			const cancel = () => {
				isOurs = true
				act("cancel-prompt", { prompt: prompt.id })
				sheet.close()
			}
			sheet.cancel = cancel

			const answer = async () => {
				const value = input ? input.value : ""
				if (prompt.method === "numeric-code" && value.length !== prompt.length) return input.focus()
				if (prompt.method === "password" && !value) return input.focus()
				isWaiting = true
				update()
				const { done } = await act("answer", { prompt: prompt.id, code: value })
				if (!done) {
					isWaiting = false
					update()
					input?.focus()
				}
			}
			form.addEventListener("submit", (event) => {
				event.preventDefault()
				answer()
			})

			// The field for one prompt. A code is one field over boxes, so that pasting, reading and deleting work as ever.
			const build = () => {
				entry.replaceChildren()
				input = null
				boxes = []
				if (prompt.method === "numeric-code") {
					input = h("input", {
						class: "code-input",
						inputmode: "numeric",
						autocomplete: "one-time-code",
						pattern: "[0-9]*",
						maxlength: prompt.length,
						"aria-label": t.pairing.codeLabel,
						autofocus: true,
					})
					boxes = Array.from({ length: prompt.length }, () => h("span.code-box", { "aria-hidden": "true" }))
					entry.append(h("div.code-boxes", null, input, ...boxes))
					input.addEventListener("input", () => {
						const digits = input.value.replace(/\D/g, "").slice(0, prompt.length)
						if (digits !== input.value) input.value = digits
						draw()
						if (digits.length === prompt.length) answer()
					})
					draw()
				} else if (prompt.method === "password") {
					input = h("input", { type: "password", autocomplete: "off", "aria-label": t.pairing.passwordLabel, autofocus: true, class: "password" })
					const reveal = iconButton("described", t.pairing.reveal, () => {
						input.type = input.type === "password" ? "text" : "password"
						setAttribute(reveal, "aria-pressed", String(input.type === "text"))
						input.focus()
					}, { "aria-pressed": "false" })
					entry.append(h("div.password-line", null, input, reveal))
				}
				;(input ?? go).focus()
			}

			const update = () => {
				const isCode = prompt.method === "numeric-code"
				const isConfirmation = prompt.method === "confirmation"
				const isComparison = isConfirmation && Boolean(prompt.code)
				setText(lead, isCode ? t.pairing.code(prompt.length) : isComparison ? t.pairing.compare : isConfirmation ? t.pairing.confirm : t.pairing.password)
				setLine(code, isComparison ? prompt.code.replace(/(...)(?=.)/g, "$1 ") : "")
				reason.replaceChildren(...prose(prompt.reason))
				show(reason, Boolean(prompt.reason))
				const isLost = !isReachable(state.devices[device] ?? {})
				setLine(attempts, isLost ? t.pairing.lost(prompt.name) : prompt.attemptsLeft == null ? "" : t.pairing.attempts(prompt.attemptsLeft))
				notes.classList.toggle("wrong", prompt.attemptsLeft != null)
				setText(go, isWaiting ? t.pairing.checking : isComparison ? t.pairing.matches : isConfirmation ? t.pairing.continue : t.pairing.action)
				setText(no, isComparison ? t.pairing.noMatch : t.cancel)
				go.disabled = isWaiting || !can("control")
				if (input) input.readOnly = isWaiting
				form.classList.toggle("waiting", isWaiting)
				setAttribute(form, "aria-busy", isWaiting ? "true" : null)
			}

			build()
			let stamp = JSON.stringify(prompt)
			let grace = 0
			return () => {
				const current = state.prompts[prompt.id] ?? Object.values(state.prompts).find((each) => each.device === device)
				if (!current) {
					if (!isWaiting) return false
					// Answered: the device decides now, and may ask again.
					clearTimeout(grace)
					grace = setTimeout(() => !Object.values(state.prompts).some((each) => each.device === device) && sheet.close(), 400)
					isOurs = true
					return update()
				}
				clearTimeout(grace)
				if (JSON.stringify(current) !== stamp) {
					stamp = JSON.stringify(current)
					prompt = current
					isWaiting = false
					isOurs = false
					build()
				}
				update()
			}
		},
		closed() {
			shown = null
			const isThere = Boolean(state.prompts[prompt.id])
			if (isThere && !isOurs) act("cancel-prompt", { prompt: prompt.id })
			else if (!isOurs) say(t.pairing.gone(prompt.name))
			queueMicrotask(updatePrompts)
		},
	})
}
