// Ways in: the link of `mdhost page`, or a code that someone at the computer allows.

import { post } from "./api.js"
import { Component, h, icon, prose, submitButton, textButton } from "./dom.js"
import { reconnect } from "./store.js"
import { t } from "./strings.js"
import { field } from "./sheet.js"

/** Exchanges the token of the link for this browser's cookie. Returns whether the link was good, `null` without one. */
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

function browserName() {
	const agent = navigator.userAgent
	const browser = [["Firefox", /Firefox/], ["Edge", /Edg/], ["Chromium", /Chrom/], ["Safari", /Safari/]].find(([, pattern]) => pattern.test(agent))?.[0]
	const system = [["Android", /Android/], ["iPhone", /iPhone/], ["iPad", /iPad/], ["Windows", /Windows/], ["macOS", /Mac/], ["Linux", /Linux/]].find(([, pattern]) => pattern.test(agent))?.[0]
	return t.enter.browserName(browser ?? t.enter.aBrowser, system ?? t.enter.aDevice)
}

/** What a browser without access sees. */
export class Entrance extends Component {
	#panel
	#asking = null

	build() {
		this.#panel = h("div.entrance-panel")
		this.append(h("div.mark", { "aria-hidden": "true" }, icon("where")), this.#panel)
	}

	detached() {
		this.#asking?.abort()
	}

	/** `reason`: `link` for a link that was no good, `revoked`, or `none`. */
	update(reason) {
		this.ready()
		this.#asking?.abort()
		const title = h("h1", { tabindex: -1 }, reason === "revoked" ? t.enter.revokedTitle : t.enter.title)
		const lines = [title]
		if (reason === "revoked") lines.push(h("p", null, t.enter.revoked))
		if (isHere) lines.push(h("p", null, reason === "link" ? t.enter.usedLink : t.enter.here), h("p.command", null, h("code", null, t.enter.command)))
		else lines.push(...this.#askForm())
		this.#panel.replaceChildren(...lines)
		title.focus()
	}

	#askForm() {
		const name = field(t.enter.nameLabel, { value: browserName(), maxlength: 60, required: true })
		const form = h("form", null, name.element, h("div.actions.center", null, submitButton(t.enter.ask)))
		form.addEventListener("submit", (event) => {
			event.preventDefault()
			this.#ask(name.input.value.trim())
		})
		return [h("p", null, t.enter.askText), form, h("p.faint", null, t.enter.noTLS)]
	}

	async #ask(name) {
		const asking = (this.#asking = new AbortController())
		try {
			const { body } = await post("/api/ask", { name }, asking.signal)
			const note = h("p", { role: "status", class: "waiting-line" }, h("span.spinner", { "aria-hidden": "true" }), h("span", null, t.enter.waiting))
			const title = h("h1", { tabindex: -1 }, t.enter.codeTitle)
			this.#panel.replaceChildren(
				title,
				h("p.big-code", { "aria-label": [...body.code].join(" ") }, body.code.replace(/(...)(?=.)/g, "$1 ")),
				h("p", null, t.enter.codeText),
				h("p.command", null, h("code", null, t.enter.allow(body.code))),
				note,
				textButton(t.cancel, () => this.update("none"), { class: "button quiet" }),
			)
			title.focus()
			for (;;) {
				const { status } = await post("/api/asked", { secret: body.secret }, asking.signal)
				if (status === 204) return reconnect()
				if (status !== 202) break
			}
		} catch (error) {
			if (error.name === "AbortError" || asking.signal.aborted) return
			const text = error.status === 403 && error.code?.startsWith("http-") ? t.enter.refused : error.message
			this.#panel.replaceChildren(
				h("h1", { tabindex: -1 }, t.enter.title),
				h("p", { role: "alert" }, ...prose(text)),
				error.remedy ? h("p.remedy", null, ...prose(error.remedy)) : "",
				textButton(t.enter.again, () => this.update("none"), { class: "button primary" }),
			)
			this.#panel.querySelector("h1").focus()
		}
	}
}
customElements.define("md-entrance", Entrance)
