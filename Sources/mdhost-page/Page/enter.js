// Ways in: the link of `mdhost page`, or a code that someone at the computer allows.

import { post } from "./api.js"
import { h, icon, prose, submitButton, textButton } from "./dom.js"
import { reconnect } from "./store.js"
import { t } from "./strings.js"
import { field } from "./sheet.js"

/** Exchanges the link's token for a cookie. Returns whether the link was good, `null` without one. */
export async function enterByLink() {
	const token = /^#enter=(.+)$/.exec(location.hash)?.[1]
	if (!token) return null
	// Nothing that reads the address later finds the token.
	history.replaceState(null, "", location.pathname)
	try {
		await post("/api/enter", { token: decodeURIComponent(token) })
		return true
	} catch {
		return false
	}
}

const isHere = /^(127\.0\.0\.1|\[::1\]|(.+\.)?localhost)$/.test(location.hostname)

const heading = (text) => h("h1", { tabindex: -1 }, text)
const command = (text) => h("p.command", null, h("code", null, text))

export class Entrance extends HTMLElement {
	constructor() {
		super()
		let asking = null
		const panel = h("div.entrance-panel")
		this.append(h("div.mark", { "aria-hidden": "true" }, icon("where")), panel)
		const put = (...lines) => {
			panel.replaceChildren(...lines.filter(Boolean))
			panel.querySelector("h1").focus()
		}

		/** `reason`: `link` for a link that was no good, `revoked`, or `none`. */
		this.update = (reason) => {
			asking?.abort()
			const isRevoked = reason === "revoked"
			const title = heading(isRevoked ? t.enter.revokedTitle : t.enter.title)
			const first = isRevoked && h("p", null, t.enter.revoked)
			if (isHere) return put(title, first, h("p", null, reason === "link" ? t.enter.usedLink : t.enter.here), command(t.enter.command))
			// The server knows a name for a browser that gives none.
			const name = field(t.enter.nameLabel, { maxlength: 60 }, t.enter.nameHint)
			const submit = (event) => {
				event.preventDefault()
				ask(name.input.value.trim())
			}
			const form = h("form", { submit }, name.element, h("div.actions.center", null, submitButton(t.enter.ask)))
			put(title, first, h("p", null, t.enter.askText), form, h("p.faint", null, t.enter.noTLS))
		}

		const ask = async (name) => {
			const { signal } = (asking = new AbortController())
			try {
				const { body } = await post("/api/ask", name ? { name } : {}, signal)
				put(
					heading(t.enter.codeTitle),
					h("p.big-code", { "aria-label": [...body.code].join(" ") }, body.code.replace(/(...)(?=.)/g, "$1 ")),
					h("p", null, t.enter.codeText),
					command(t.enter.allow(body.code)),
					h("p.waiting-line", { role: "status" }, h("span.spinner", { "aria-hidden": "true" }), t.enter.waiting),
					textButton(t.cancel, () => this.update("none"), { class: "button quiet" }),
				)
				for (;;) {
					const { status } = await post("/api/asked", { secret: body.secret }, signal)
					if (status === 204) return reconnect()
				}
			} catch (error) {
				if (signal.aborted) return
				put(
					heading(t.enter.title),
					h("p", { role: "alert" }, prose(error.message)),
					error.remedy && h("p.remedy", null, prose(error.remedy)),
					textButton(t.enter.again, () => this.update("none"), { class: "button primary" }),
				)
			}
		}
	}
}
customElements.define("md-entrance", Entrance)
