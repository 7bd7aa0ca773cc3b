// Pairing: the page is the agent that asks for codes, passwords and confirmations.

import { h, iconButton, prose, setAttribute, setLine, setText, show, submitButton, textButton } from "./dom.js"
import { isReachable } from "./model.js"
import { openSheet } from "./sheet.js"
import { can, state } from "./store.js"
import { t } from "./strings.js"
import { act, say } from "./toasts.js"

let shown = null

export function updatePrompts() {
	if (shown || !can("control")) return
	const next = Object.values(state.prompts)[0]
	if (next) ask(next)
}

function ask(prompt) {
	const { device, name } = prompt
	let isOurs = false
	let isWaiting = false
	let input = null
	let boxes = []
	openSheet({
		title: t.pairing.title(name),
		className: "pairing small",
		dismissable: false,
		build(body, sheet) {
			shown = sheet
			const cancel = () => {
				isOurs = true
				act("cancel-prompt", { prompt: prompt.id })
				sheet.close()
			}
			const answer = async (event) => {
				event?.preventDefault()
				const code = input?.value ?? ""
				if (prompt.method === "numeric-code" ? code.length !== prompt.length : input && !code) return input.focus()
				isWaiting = true
				update()
				if ((await act("answer", { prompt: prompt.id, code })).done) return
				isWaiting = false
				update()
				input?.focus()
			}
			const lead = h("p.lead")
			const code = h("p.compare", { "aria-live": "polite" })
			const entry = h("div.entry")
			const reason = h("p.reason")
			const attempts = h("p.faint")
			const notes = h("div.notes", { role: "alert" }, reason, attempts)
			const go = submitButton("")
			const no = textButton("", cancel)
			const form = h("form.pairing-form", { novalidate: true, submit: answer }, lead, code, entry, notes, h("div.actions", null, no, go))
			body.append(form)

			const draw = () =>
				boxes.forEach((box, index) => {
					setText(box, input.value[index] ?? "")
					box.classList.toggle("next", index === Math.min(input.value.length, boxes.length - 1))
				})

			// A code is one field over boxes, so that pasting works.
			const build = () => {
				input = null
				boxes = []
				const isCode = prompt.method === "numeric-code"
				if (isCode) {
					const typed = () => {
						input.value = input.value.replace(/\D/g, "").slice(0, prompt.length)
						draw()
						if (input.value.length === prompt.length) answer()
					}
					input = h("input.code-input", { inputmode: "numeric", autocomplete: "one-time-code", pattern: "[0-9]*", maxlength: prompt.length, "aria-label": t.pairing.codeLabel, autofocus: true, input: typed })
					boxes = Array.from({ length: prompt.length }, () => h("span.code-box", { "aria-hidden": "true" }))
					draw()
				} else if (prompt.method === "password") {
					input = h("input.password", { type: "password", autocomplete: "off", "aria-label": t.pairing.passwordLabel, autofocus: true })
				}
				const reveal = iconButton("described", t.pairing.reveal, () => {
					const isShown = input.type === "password"
					input.type = isShown ? "text" : "password"
					setAttribute(reveal, "aria-pressed", String(isShown))
					input.focus()
				}, { "aria-pressed": "false", hidden: isCode })
				entry.replaceChildren(...(input ? [h(isCode ? "div.code-boxes" : "div.password-line", null, input, ...boxes, reveal)] : []))
				;(input ?? go).focus()
			}

			const update = () => {
				const isComparison = prompt.method === "confirmation" && Boolean(prompt.code)
				const [text, action] = {
					"numeric-code": [t.pairing.code(prompt.length), t.device.pair],
					password: [t.pairing.password, t.device.pair],
					confirmation: isComparison ? [t.pairing.compare, t.pairing.matches] : [t.pairing.confirm, t.pairing.continue],
				}[prompt.method]
				setText(lead, text)
				setLine(code, isComparison && prompt.code.replace(/(...)(?=.)/g, "$1 "))
				reason.replaceChildren(...prose(prompt.reason))
				show(reason, Boolean(prompt.reason))
				const isLost = !isReachable(state.devices[device] ?? {})
				setLine(attempts, isLost ? t.pairing.lost(name) : prompt.attemptsLeft == null ? "" : t.pairing.attempts(prompt.attemptsLeft))
				notes.classList.toggle("wrong", prompt.attemptsLeft != null)
				setText(go, isWaiting ? t.checking : action)
				setText(no, isComparison ? t.pairing.noMatch : t.cancel)
				go.disabled = isWaiting || !can("control")
				if (input) input.readOnly = isWaiting
				form.classList.toggle("waiting", isWaiting)
				setAttribute(form, "aria-busy", isWaiting && "true")
			}

			build()
			let stamp = JSON.stringify(prompt)
			let grace = 0
			const next = () => state.prompts[prompt.id] ?? Object.values(state.prompts).find((each) => each.device === device)
			return () => {
				clearTimeout(grace)
				const current = next()
				if (!current) {
					if (!isWaiting) return false
					// Answered: the device decides now, and may ask again.
					grace = setTimeout(() => next() || sheet.close(), 400)
					isOurs = true
				} else if (JSON.stringify(current) !== stamp) {
					stamp = JSON.stringify(current)
					prompt = current
					isWaiting = isOurs = false
					build()
				}
				update()
			}
		},
		closed() {
			shown = null
			const isThere = Boolean(state.prompts[prompt.id])
			if (isThere && !isOurs) act("cancel-prompt", { prompt: prompt.id })
			else if (!isOurs) say(t.pairing.gone(name))
			queueMicrotask(updatePrompts)
		},
	})
}
