// Extensions, outputs, now playing, pushes, browsers and health.

import { arrange, h, icon, keyed, prose, setAttribute, setLine, setText, show, textButton } from "./dom.js"
import { askSheet, confirmSheet, field, openSheet, row, section, toggle } from "./sheet.js"
import { can, hasRole, state } from "./store.js"
import { findingItem } from "./devices.js"
import { ago, t } from "./strings.js"
import { act, say } from "./toasts.js"

export class Settings extends HTMLElement {
	constructor() {
		super()
		let extensionRows = new Map()
		const extensions = h("div.rows", { role: "list" })
		const noExtensions = h("p.faint", null, t.settings.noExtensions)
		const sinks = h("div.rows", { role: "list" })
		const noSinks = h("p.faint", null, t.settings.noSinks)
		const push = h("p.push")
		const pauses = toggle(t.settings.pausesOthers, t.settings.pausesOthersText, async (value) => (await act("pauses-others", { value })).done)
		const browsers = h("div.rows", { role: "list" })
		const allow = textButton(t.settings.allowTitle, openAllow)
		const browsersBlock = section(t.settings.browsers, browsers, h("div.actions", null, allow))
		const about = h("p.faint.about")
		const lookers = h("p.notice.plain", null, icon("info"), t.settings.onlyAdministrators)
		const health = healthBlock()
		this.append(
			lookers,
			h(
				"div.blocks",
				null,
				section(t.settings.extensions, h("p.faint", null, t.settings.extensionsText), noExtensions, extensions),
				h(
					"div",
					null,
					health,
					section(t.player.title, pauses.element),
					section(t.settings.sinks, h("p.faint", null, t.settings.sinksText), noSinks, sinks),
					section(t.settings.push, push),
					browsersBlock,
				),
			),
			about,
		)

		this.update = () => {
			const isAdministrator = can("administrate")
			show(lookers, state.isKnown && !hasRole("administrate"))
			show(health, hasRole("administrate"))
			show(browsersBlock, hasRole("administrate"))
			allow.disabled = pauses.input.disabled = !isAdministrator
			const installed = Object.values(state.extensions).sort((one, other) => (one.name < other.name ? -1 : 1))
			show(noExtensions, !installed.length)
			extensionRows = new Map(installed.map(({ id }) => [id, extensionRows.get(id) ?? new ExtensionRow(id)]))
			arrange(extensions, [...extensionRows.values()])
			for (const row of extensionRows.values()) row.update()
			const outputs = Object.values(state.sinks)
			show(noSinks, !outputs.length)
			keyed(sinks, [outputs, isAdministrator], () => outputs.map(sinkRow))
			pauses.input.checked = Boolean(state.nowPlaying?.pausesOthers)
			const { state: name = "none", address, reason } = state.push ?? {}
			keyed(push, [name, address, reason], () => prose([t.settings.pushState[name] ?? name, address, reason].filter(Boolean).join(" · ")))
			keyed(browsers, [state.browsers, isAdministrator, Math.floor(Date.now() / 60000)], () => state.browsers.map(browserRow))
			setText(about, state.host && `${state.host.name || t.appName} ${state.host.version ?? ""}`)
		}
	}
}
customElements.define("md-settings", Settings)

const quiet = (label, click, name) => textButton(label, click, { class: "button quiet", "aria-label": name, disabled: !can("administrate") })

class ExtensionRow extends HTMLElement {
	constructor(id) {
		super()
		const perform = async (control, action) => {
			control.disabled = true
			const { done } = await act("extension", { id, action })
			this.update()
			control.focus()
			return done
		}
		const name = h("span.name")
		const line = h("small")
		const error = h("p.error-line")
		const power = h("input.switch", { type: "checkbox", role: "switch", change: () => perform(power, power.checked ? "enable" : "disable") })
		const reload = quiet(t.settings.reload, async () => (await perform(reload, "reload")) && say(t.settings.reloaded(name.textContent)))
		const log = quiet(t.settings.log, () => openLog(id, name.textContent))
		this.setAttribute("role", "listitem")
		this.append(h("div.row", null, icon("extension"), h("span.row-text", null, name, line), reload, log, power), error)

		this.update = () => {
			const extension = state.extensions[id]
			if (!extension) return
			setText(name, extension.name)
			const words = [t.settings.extensionState[extension.state] ?? extension.state, extension.version, extension.restarts > 0 && t.settings.restarts(extension.restarts)]
			setText(line, words.filter(Boolean).join(" · "))
			setLine(error, extension.lastError)
			power.checked = extension.state !== "disabled"
			setAttribute(power, "aria-label", t.settings.enable(extension.name))
			setAttribute(reload, "aria-label", `${t.settings.reload} ${extension.name}`)
			setAttribute(log, "aria-label", t.settings.logTitle(extension.name))
			power.disabled = reload.disabled = log.disabled = !can("administrate")
			show(reload, power.checked)
		}
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
	row("speaker", name, [t.settings.sinkState[state] ?? state, server, error?.message], quiet(t.off, () => act("sink", { device: id, on: false }), t.settings.removeSink(name)))

function browserRow({ id, name, role, current, seen }) {
	const revoke = async () => {
		const isSure = await confirmSheet({ title: t.settings.revokeTitle(name), text: t.settings.revokeText, action: t.settings.revoke })
		if (isSure && (await act("revoke", { browser: id })).done && !current) say(t.settings.revoked(name))
	}
	const line = [t.settings.role[role] ?? role, current ? t.settings.thisBrowser : typeof seen === "number" && t.settings.seen(ago(seen))]
	return row("globe", name, line, quiet(t.settings.revoke, revoke, `${t.settings.revoke}: ${name}`))
}

function openAllow() {
	const code = field(t.settings.allowCode, { inputmode: "numeric", maxlength: 12, required: true, autofocus: true })
	const role = h("select", { id: "allow-role" }, ...["control", "look", "administrate"].map((value) => h("option", { value }, t.settings.role[value])))
	const picture = h("div.qr")
	const invite = textButton(t.settings.invite, async () => {
		const { done, value } = await act("invite", { role: role.value })
		if (done) picture.replaceChildren(qrCode(value), h("p.faint", { role: "status" }, t.settings.inviteText))
	})
	askSheet({
		title: t.settings.allowTitle,
		text: t.settings.allowText,
		input: code,
		action: t.settings.allow,
		parts: [h("div.field", null, h("label", { for: "allow-role" }, t.settings.allowRole), role), picture, invite],
		submit: async (text) => {
			const { done } = await act("allow", { code: text.replace(/\s/g, ""), role: role.value })
			if (done) say(t.settings.allowed)
			return done
		},
	})
}

// With the four modules of light around it that cameras need.
function qrCode({ path, size, link }) {
	const picture = icon("")
	picture.setAttribute("class", "qr-code")
	picture.setAttribute("viewBox", `-4 -4 ${size + 8} ${size + 8}`)
	picture.firstElementChild.setAttribute("d", path)
	return h("a", { href: link, "aria-label": t.settings.inviteLink }, picture)
}

function healthBlock() {
	const summary = h("p", { role: "status" }, t.settings.healthText)
	const list = h("ul.tried", { hidden: true })
	const go = textButton(t.settings.check, async () => {
		go.disabled = true
		setText(summary, t.checking)
		const { done, value } = await act("doctor")
		go.disabled = false
		if (!done) return setText(summary, t.settings.healthText)
		const bad = value.findings.filter(({ severity }) => ["warning", "problem"].includes(severity))
		setText(summary, bad.length ? t.settings.problems(bad.length) : t.settings.healthy)
		const order = ["problem", "warning", "note", "fine"]
		value.findings.sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity))
		show(list, true)
		list.replaceChildren(...value.findings.map(findingItem))
	})
	return section(t.settings.health, summary, list, h("div.actions", null, go))
}
