// Extensions, outputs, now playing, pushes, browsers and health: for those who look after the host.

import { arrange, Component, h, icon, prose, setAttribute, setLine, setText, show, submitButton, textButton } from "./dom.js"
import { confirmSheet, field, openSheet, row, section, toggle } from "./sheet.js"
import { can, hasRole, state } from "./store.js"
import { findingItem } from "./devices.js"
import { ago, t } from "./strings.js"
import { act, say } from "./toasts.js"

export class Settings extends Component {
	#extensions
	#extensionRows = new Map()
	#noExtensions
	#sinks
	#noSinks
	#push
	#pauses
	#browsers
	#browsersBlock
	#allow
	#about
	#lookers
	#health

	build() {
		this.#extensions = h("div.rows", { role: "list" })
		this.#noExtensions = h("p.faint", null, t.settings.noExtensions)
		this.#sinks = h("div.rows", { role: "list" })
		this.#noSinks = h("p.faint", null, t.settings.noSinks)
		this.#push = h("p.push")
		this.#pauses = toggle(t.settings.pausesOthers, t.settings.pausesOthersText, async (value) => (await act("pauses-others", { value })).done)
		this.#browsers = h("div.rows", { role: "list" })
		this.#allow = textButton(t.settings.allowTitle, openAllow)
		this.#browsersBlock = section(t.settings.browsers, this.#browsers, h("div.actions", null, this.#allow))
		this.#about = h("p.faint.about")
		this.#lookers = h("p.notice.plain", null, icon("info"), t.settings.onlyAdministrators)
		this.#health = new Health()
		this.append(
			this.#lookers,
			h(
				"div.blocks",
				null,
				section(t.settings.extensions, h("p.faint", null, t.settings.extensionsText), this.#noExtensions, this.#extensions),
				h(
					"div.column",
					null,
					this.#health,
					section(t.settings.playing, this.#pauses.element),
					section(t.settings.sinks, h("p.faint", null, t.settings.sinksText), this.#noSinks, this.#sinks),
					section(t.settings.push, this.#push),
					this.#browsersBlock,
				),
			),
			this.#about,
		)
	}

	update() {
		this.ready()
		const isAdministrator = can("administrate")
		show(this.#lookers, state.isKnown && !hasRole("administrate"))
		show(this.#health, hasRole("administrate"))
		const extensions = Object.values(state.extensions).sort((one, other) => (one.name < other.name ? -1 : 1))
		show(this.#noExtensions, extensions.length === 0)
		for (const id of this.#extensionRows.keys()) if (!state.extensions[id]) this.#extensionRows.delete(id)
		arrange(
			this.#extensions,
			extensions.map((extension) => {
				let row = this.#extensionRows.get(extension.id)
				if (!row) {
					row = new ExtensionRow()
					this.#extensionRows.set(extension.id, row)
				}
				row.update(extension)
				return row
			}),
		)
		const sinks = Object.values(state.sinks)
		show(this.#noSinks, sinks.length === 0)
		keyed(this.#sinks, JSON.stringify([sinks, isAdministrator]), () => sinks.map(sinkRow))
		this.#pauses.input.disabled = !isAdministrator
		this.#pauses.input.checked = Boolean(state.nowPlaying?.pausesOthers)
		const push = state.push ?? { state: "none" }
		const words = t.settings.pushState[push.state] ?? push.state
		keyed(this.#push, JSON.stringify(push), () => prose([words, push.address, push.reason].filter(Boolean).join(" · ")))
		show(this.#browsersBlock, hasRole("administrate"))
		this.#allow.disabled = !isAdministrator
		keyed(this.#browsers, JSON.stringify([state.browsers, isAdministrator, Math.floor(Date.now() / 60000)]), () => (state.browsers ?? []).map(browserRow))
		setText(this.#about, state.host ? t.settings.about(state.host.name || t.appName, state.host.version ?? "") : "")
	}
}
customElements.define("md-settings", Settings)

// Built anew only when something changed, and never under the focus of someone who reads it.
function keyed(element, key, children) {
	if (element.dataset.key === key) return
	element.dataset.key = key
	element.replaceChildren(...children())
}

class ExtensionRow extends Component {
	#name
	#line
	#error
	#switch
	#reload
	#log
	#extension

	build() {
		this.setAttribute("role", "listitem")
		this.#name = h("span.name")
		this.#line = h("small")
		this.#error = h("p.error-line")
		this.#switch = h("input", { type: "checkbox", role: "switch", class: "switch" })
		this.#switch.addEventListener("change", async () => {
			const action = this.#switch.checked ? "enable" : "disable"
			this.#switch.disabled = true
			await act("extension", { id: this.#extension.id, action })
			this.update(this.#extension)
			this.#switch.focus()
		})
		this.#reload = textButton(t.settings.reload, async () => {
			this.#reload.disabled = true
			const { done } = await act("extension", { id: this.#extension.id, action: "reload" })
			this.#reload.disabled = false
			if (done) say(t.settings.reloaded(this.#extension.name))
		}, { class: "button quiet" })
		this.#log = textButton(t.settings.log, () => openLog(this.#extension.id, this.#extension.name), { class: "button quiet" })
		this.append(
			h("div.row", null, icon("extension"), h("span.row-text", null, this.#name, this.#line), this.#reload, this.#log, this.#switch),
			this.#error,
		)
	}

	update(extension) {
		this.ready()
		extension = state.extensions[extension.id] ?? extension
		this.#extension = extension
		this.dataset.state = extension.state
		setText(this.#name, extension.name)
		const line = [t.settings.extensionState[extension.state] ?? extension.state, extension.version, extension.restarts > 0 && t.settings.restarts(extension.restarts)]
		setText(this.#line, line.filter(Boolean).join(" · "))
		setLine(this.#error, extension.lastError)
		this.#switch.checked = extension.state !== "disabled"
		setAttribute(this.#switch, "aria-label", t.settings.enable(extension.name))
		setAttribute(this.#reload, "aria-label", `${t.settings.reload} ${extension.name}`)
		setAttribute(this.#log, "aria-label", t.settings.logTitle(extension.name))
		const isAllowed = can("administrate")
		this.#switch.disabled = !isAllowed
		this.#reload.disabled = !isAllowed
		this.#log.disabled = !isAllowed
		show(this.#reload, extension.state !== "disabled")
	}
}
customElements.define("md-extension", ExtensionRow)

function openLog(id, name) {
	openSheet({
		title: t.settings.logTitle(name),
		className: "wide",
		build(body) {
			const lines = h("ol.log", { tabindex: 0, "aria-label": t.settings.logTitle(name) })
			const read = async () => {
				const { done, value } = await act("log", { id, count: 200 })
				if (!done) return
				const list = value.lines ?? []
				lines.replaceChildren(
					...list.map((line) =>
						h("li", { class: line.level }, h("time", null, new Date(line.time * 1000).toLocaleTimeString()), h("span.visually-hidden", null, ` ${line.level} `), h("span", null, line.text)),
					),
				)
				if (!list.length) lines.append(h("li", null, t.settings.logEmpty))
				lines.scrollTop = lines.scrollHeight
			}
			body.append(lines, h("div.actions", null, textButton(t.settings.logRefresh, read)))
			read()
		},
	})
}

const sinkRow = ({ id, name, state, server, error }) =>
	row(
		"speaker",
		name,
		[t.settings.sinkState[state] ?? state, server, error?.message],
		textButton(t.off, () => act("sink", { device: id, on: false }), {
			class: "button quiet",
			"aria-label": t.settings.removeSink(name),
			disabled: !can("administrate"),
		}),
	)

function browserRow({ id, name, role, current, seen }) {
	const revoke = async () => {
		const isSure = await confirmSheet({ title: t.settings.revokeTitle(name), text: t.settings.revokeText, action: t.settings.revoke })
		if (isSure && (await act("revoke", { browser: id })).done && !current) say(t.settings.revoked(name))
	}
	return row(
		"globe",
		name || t.enter.aBrowser,
		[t.settings.role[role] ?? role, current ? t.settings.thisBrowser : typeof seen === "number" && t.settings.seen(ago(seen))],
		textButton(t.settings.revoke, revoke, { class: "button quiet", "aria-label": `${t.settings.revoke}: ${name}`, disabled: !can("administrate") }),
	)
}

function openAllow() {
	openSheet({
		title: t.settings.allowTitle,
		className: "small",
		build(body, sheet) {
			const code = field(t.settings.allowCode, { inputmode: "numeric", maxlength: 12, required: true, autofocus: true })
			const role = h("select", { id: "allow-role" }, ...["control", "look", "administrate"].map((value) => h("option", { value }, t.settings.role[value])))
			const go = submitButton(t.settings.allow)
			const form = h(
				"form",
				null,
				h("p", null, t.settings.allowText),
				code.element,
				h("div.field", null, h("label", { for: "allow-role" }, t.settings.allowRole), role),
				h("div.actions", null, textButton(t.cancel, () => sheet.close()), go),
			)
			form.addEventListener("submit", async (event) => {
				event.preventDefault()
				go.disabled = true
				const { done } = await act("allow", { code: code.input.value.replace(/\s/g, ""), role: role.value })
				go.disabled = false
				if (!done) return code.input.focus()
				say(t.settings.allowed)
				sheet.close()
			})
			body.append(form)
		},
	})
}

/** The doctor's findings. */
class Health extends Component {
	#list
	#summary
	#go

	build() {
		this.#summary = h("p", { role: "status" }, t.settings.healthText)
		this.#list = h("ul.tried", { hidden: true })
		this.#go = textButton(t.settings.check, () => this.#check())
		this.append(section(t.settings.health, this.#summary, this.#list, h("div.actions", null, this.#go)))
	}

	async #check() {
		this.#go.disabled = true
		setText(this.#summary, t.settings.checking)
		const { done, value } = await act("doctor", {})
		this.#go.disabled = false
		if (!done) return setText(this.#summary, t.settings.healthText)
		const findings = value.findings ?? []
		const bad = findings.filter((finding) => ["warning", "problem"].includes(finding.severity))
		setText(this.#summary, bad.length ? t.settings.problems(bad.length) : t.settings.healthy)
		const order = ["problem", "warning", "note", "fine"]
		const sorted = [...findings].sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity))
		show(this.#list, true)
		this.#list.replaceChildren(...sorted.map(findingItem))
	}
}
customElements.define("md-health", Health)
