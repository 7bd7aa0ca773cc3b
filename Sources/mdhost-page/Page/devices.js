// The list of devices, by kind. A row is built once and changed in place.

import { perform } from "./api.js"
import { action, arrange, drawIcon, h, icon, iconButton, prose, setAttribute, setIconButton, setLine, setText, show, textButton } from "./dom.js"
import { canPlay, deviceIcon, devicesOf, groupOf, nameOf, section as sectionOf, sections, sessionPlayerOn, sortedDevices, status } from "./model.js"
import { takeFiles } from "./play.js"
import { can, state } from "./store.js"
import { t } from "./strings.js"
import { act, attempt, say } from "./toasts.js"
import { LevelSlider } from "./slider.js"

class DeviceRow extends HTMLElement {
	constructor(id) {
		super()
		const open = async () => {
			if (!state.picker) return attempt(async () => (await import("./device.js")).openDevice(id))
			const { name, application } = state.picker
			this.classList.add("picking")
			main.disabled = true
			const { done } = await act("pick", { device: id })
			this.classList.remove("picking")
			this.update()
			main.focus()
			if (done) say(`${t.picker.picked(name ?? application, nameOf(id))} ${t.picker.details}`)
		}
		const playOrPause = () => {
			const player = sessionPlayerOn(id)
			if (player) act(player.isPlaying ? "pause" : "resume", { session: player.id })
		}
		const badge = h("span.badge", null, icon("speaker"), h("span.bars", null, h("i"), h("i"), h("i")))
		const name = h("span.name")
		const line = h("span.status")
		const texts = h("span.line", null, line)
		const main = h("button.device-main", { click: open }, badge, h("span.texts", null, name, texts))
		const top = h("div.device-top", null, main)
		this.append(top)
		takeFiles(this, id)

		// Most rows never show these.
		const extras = {}
		const extra = (kind, isShown, place, build) => {
			if (isShown && !extras[kind]) place.append((extras[kind] = build()))
			if (extras[kind]) show(extras[kind], isShown)
			return isShown ? extras[kind] : null
		}

		this.update = () => {
			const device = state.devices[id]
			if (!device) return
			const player = sessionPlayerOn(id)
			const { text, tone } = status(device, player)
			setText(name, device.name)
			const others = groupOf(device).filter((other) => other !== id)
			setText(line, text + (player && others.length ? ` · + ${others.map(nameOf).join(", ")}` : ""))
			this.dataset.tone = tone
			drawIcon(badge.firstElementChild, deviceIcon(device))
			const isWeak = device.signalStrength != null && device.signalStrength <= -75
			const weak = extra("signal", isWeak, texts, () => h("span.extra", null, icon("signal")))
			if (weak) setAttribute(weak, "title", t.devices.signal(device.signalStrength))
			const isLow = device.batteryLevel != null && device.batteryLevel <= 20
			const battery = extra("battery", isLow, texts, () => h("span.extra", null, icon("battery"), h("span")))
			if (battery) setText(battery.lastElementChild, t.devices.lowBattery(device.batteryLevel))
			const { picker } = state
			const isChosen = Boolean(picker && state.routes[id]?.includes(picker.application))
			this.classList.toggle("is-chosen", isChosen)
			setAttribute(main, "aria-label", picker && `${t.picker.pick(device.name)}. ${isChosen ? t.picker.current : text}`)
			setAttribute(main, "aria-pressed", picker && String(isChosen))
			main.disabled = picker && (!can("control") || this.classList.contains("picking"))
			extra("check", isChosen, top, () => h("span.chosen", null, icon("check")))
			const toggle = extra("toggle", Boolean(player) && !picker && !player.isStarting, top, () => iconButton("pause", "", playOrPause))
			if (toggle) {
				const kind = player.isPlaying ? "pause" : "play"
				setIconButton(toggle, kind, `${t.player[kind]}: ${device.name}`)
				toggle.disabled = !can("control") || player.isReconnecting
			}
			const hasLevel = Boolean(player) && device.volumeControl !== "none" && device.availability !== "unreachable"
			extra("level", hasLevel, this, () => new LevelSlider(id))?.updateDevice(device)
		}
		this.update()
	}
}
customElements.define("md-device", DeviceRow)

export class DeviceList extends HTMLElement {
	constructor() {
		super()
		const rows = new Map()
		const blocks = new Map()
		const lastOn = new Map()
		let order = ""
		const count = h("p.count", { role: "status" })
		const filter = h("input", { type: "search", "aria-label": t.devices.filter, placeholder: t.devices.filter, autocomplete: "off", input: () => put() })
		const search = h("div.search", { hidden: true }, icon("search"), filter)
		const heading = h("div.heading", null, h("h2", null, t.devices.title), count)
		const empty = new EmptyList()
		const nothing = h("p.nothing", { role: "status", hidden: true })
		const banner = new PickerBanner()
		this.append(banner, heading, search, empty, nothing)
		for (const name of sections) {
			const cards = h("div.cards", { role: "list" })
			const block = h("section", { hidden: true, "aria-labelledby": `section-${name}`, class: name }, h("h3", { id: `section-${name}` }, t.devices[name]), cards)
			blocks.set(name, cards)
			this.append(block)
		}

		const rowOf = (id) => {
			if (!rows.has(id)) {
				const row = new DeviceRow(id)
				h("div.card", { role: "listitem" }, row)
				rows.set(id, row)
			}
			return rows.get(id)
		}

		const put = () => {
			const devices = sortedDevices()
			const words = filter.value.trim().toLowerCase()
			const fits = (device) => [device.name, device.protocolName, device.deviceName].some((text) => text?.toLowerCase().includes(words))
			const shown = devices.filter((device) => (!words || fits(device)) && (!state.picker || canPlay(device)))
			show(search, devices.length > 10 || words !== "")
			setLine(nothing, words && !shown.length ? t.devices.nothingFits(filter.value.trim()) : "")
			const places = new Map(sections.map((name) => [name, []]))
			for (const device of shown) places.get(sectionOf(device)).push(device.id)
			const next = JSON.stringify([...places])
			if (next === order) return
			order = next
			for (const [id, row] of rows) {
				if (state.devices[id]) continue
				row.parentElement.remove()
				rows.delete(id)
			}
			for (const [name, cards] of blocks) {
				const ids = places.get(name)
				show(cards.parentElement, ids.length > 0)
				arrange(cards, ids.map((id) => rowOf(id).parentElement))
			}
		}

		// A device shows the names of those it plays with, and of what plays on it.
		const touched = (change) => {
			const ids = new Set([...(change.devices ?? []), ...(change.routes ?? [])])
			for (const id of [...ids]) for (const other of state.devices[id]?.group ?? []) ids.add(other)
			for (const id of change.sessions ?? []) {
				const session = state.sessions[id]
				const places = [...(session ? devicesOf(session) : []), ...(lastOn.get(id) ?? [])]
				for (const device of places) ids.add(device)
				if (session) lastOn.set(id, new Set(places))
				else lastOn.delete(id)
			}
			return ids
		}

		this.update = (change) => {
			banner.update()
			const all = change === null || ["connection", "role", "picker", "applications"].some((key) => change[key])
			if (all || change.devices || change.routes) put()
			if (all || [change.devices, change.sessions, change.routes].includes(true)) {
				for (const row of rows.values()) row.update()
			} else {
				for (const id of touched(change)) rows.get(id)?.update()
			}
			const found = Object.keys(state.devices).length
			const isSearching = !state.manager.settled
			setText(count, !state.isKnown ? "" : isSearching ? t.devices.searching : found ? t.devices.count(found) : "")
			heading.classList.toggle("searching", isSearching)
			show(empty, state.isKnown && found === 0)
			if (!empty.hidden) empty.update()
		}
		this.focusFilter = () => search.hidden || filter.focus()
	}
}
customElements.define("md-devices", DeviceList)

export const findingItem = ({ severity, message, remedy }) =>
	h(
		"li",
		{ class: severity },
		icon({ fine: "check", note: "info" }[severity] ?? "warning"),
		h(
			"div",
			null,
			h("p", null, h("span.visually-hidden", null, `${t.settings.severity[severity] ?? severity}: `), prose(message)),
			remedy && h("p.remedy", null, prose(remedy)),
		),
	)

class EmptyList extends HTMLElement {
	constructor() {
		super()
		let isAsked = false
		const title = h("h3")
		const tried = h("ul.tried", { "aria-label": t.empty.tried })
		const demo = action("tv", t.empty.demo, async () => {
			demo.disabled = true
			if ((await act("demo", {})).done) say(t.empty.demoStarted)
			this.update()
		}, "primary")
		this.append(
			h("div.rings", { "aria-hidden": "true" }, h("i"), h("i"), h("i")),
			title,
			h("p", null, t.empty.text),
			h("div.actions.center", null, demo),
			h("p.faint", null, t.empty.demoText),
			tried,
		)

		const list = (findings) => {
			tried.replaceChildren(...findings.map(findingItem))
			show(tried, findings.length > 0)
		}

		// What was tried on which interface: the doctor knows.
		const ask = async () => {
			isAsked = true
			try {
				const { findings } = await perform("doctor", {})
				const areas = ["network", "mdns", "ssdp", "firewall", "bluetooth", "extensions"]
				list(findings.filter((finding) => areas.includes(finding.area)))
			} catch {
				isAsked = false
			}
		}

		this.update = () => {
			const isSettled = state.manager.settled
			setText(title, isSettled ? t.empty.title : t.devices.searching)
			this.classList.toggle("searching", !isSettled)
			demo.disabled = !can("control")
			if (isSettled && !isAsked && can("administrate")) ask()
			if (!isAsked) list(state.manager.problems.map((problem) => ({ ...problem, severity: "problem" })))
		}
	}
}
customElements.define("md-empty", EmptyList)

class PickerBanner extends HTMLElement {
	constructor() {
		super()
		const title = h("h2")
		this.append(icon("where"), h("div", null, title, h("p", null, t.picker.text)), textButton(t.done, () => act("dismiss-picker", {})))
		this.update = () => {
			show(this, state.picker !== null)
			if (state.picker) setText(title, t.picker.title(state.picker.name || state.picker.application))
		}
	}
}
customElements.define("md-picker", PickerBanner)
