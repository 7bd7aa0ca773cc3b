// The list of devices, by kind. A row is built once and changed in place.

import { perform } from "./api.js"
import { arrange, Component, drawIcon, h, icon, iconButton, prose, setAttribute, setIconButton, setLine, setText, setVariable, show, textButton } from "./dom.js"
import { deviceIcon, groupOf, isReachable, nameOf, section as sectionOf, sections, sessionPlayerOn, sortedDevices, status, canPlay, devicesOf } from "./model.js"
import { send } from "./play.js"
import { can, state } from "./store.js"
import { t } from "./strings.js"
import { act, attempt, say } from "./toasts.js"
import { LevelSlider } from "./slider.js"

/** One device. */
class DeviceRow extends Component {
	#id
	#main
	#badge
	#name
	#status
	#extra
	#toggle
	#level
	#weak
	#battery
	#check

	set deviceID(id) {
		this.#id = id
	}

	build() {
		this.#badge = h("span.badge", null, icon("speaker"), h("span.bars", null, h("i"), h("i"), h("i")))
		this.#name = h("span.name")
		this.#status = h("span.status")
		this.#weak = h("span.extra", { hidden: true }, icon("signal"))
		this.#battery = h("span.extra", { hidden: true }, icon("battery"), h("span"))
		this.#extra = h("span.line", null, this.#status, this.#weak, this.#battery)
		this.#main = h(
			"button.device-main",
			{ click: () => this.#open() },
			this.#badge,
			h("span.texts", null, this.#name, this.#extra),
		)
		this.#toggle = iconButton("pause", "", () => this.#playOrPause(), { class: "round", hidden: true })
		this.#check = icon("check")
		this.#check.classList.add("chosen")
		this.#level = new LevelSlider()
		this.#level.bind(this.#id)
		this.append(h("div.device-top", null, this.#main, this.#check, this.#toggle), this.#level)
		this.#takeFiles()
	}

	async #open() {
		if (!state.picker) return attempt(async () => (await import("./device.js")).openDevice(this.#id))
		const { name, application } = state.picker
		const device = state.devices[this.#id]
		this.classList.add("picking")
		this.#main.disabled = true
		const { done } = await act("pick", { device: this.#id })
		this.classList.remove("picking")
		this.update()
		this.#main.focus()
		if (done) say(`${t.picker.picked(name ?? application, device.name)} ${t.picker.details}`)
	}

	async #playOrPause() {
		const player = sessionPlayerOn(this.#id)
		if (!player) return
		await attempt(() => perform(player.isPlaying ? "pause" : "resume", { session: player.id }))
	}

	update() {
		this.ready()
		const device = state.devices[this.#id]
		if (!device) return
		const player = sessionPlayerOn(device.id)
		const { text, tone } = status(device, player)
		setText(this.#name, device.name)
		const others = groupOf(device).filter((id) => id !== device.id)
		const together = player && others.length ? ` · + ${others.map(nameOf).join(", ")}` : ""
		setText(this.#status, text + together)
		this.dataset.tone = tone
		drawIcon(this.#badge.firstElementChild, deviceIcon(device))
		const isWeak = device.signalStrength != null && device.signalStrength <= -75
		show(this.#weak, isWeak)
		setAttribute(this.#weak, "title", isWeak ? t.devices.signal(device.signalStrength) : null)
		const isLow = device.batteryLevel != null && device.batteryLevel <= 20
		show(this.#battery, isLow)
		if (isLow) setText(this.#battery.lastElementChild, t.devices.lowBattery(device.batteryLevel))
		const isPicker = state.picker !== null
		const isChosen = isPicker && (state.routes[device.id] ?? []).includes(state.picker.application)
		this.classList.toggle("is-chosen", isChosen)
		setAttribute(this.#main, "aria-label", isPicker ? `${t.picker.pick(device.name)}. ${isChosen ? t.picker.current : text}` : null)
		setAttribute(this.#main, "aria-pressed", isPicker ? String(isChosen) : null)
		this.#main.disabled = isPicker && (!can("control") || this.classList.contains("picking"))
		this.querySelector(".chosen").classList.toggle("gone", !isChosen)
		show(this.#toggle, Boolean(player) && !isPicker && !player.isStarting)
		if (player) {
			const label = `${player.isPlaying ? t.player.pause : t.player.play}: ${device.name}`
			setIconButton(this.#toggle, player.isPlaying ? "pause" : "play", label)
			this.#toggle.disabled = !can("control") || player.isReconnecting
		}
		const hasLevel = Boolean(player) && device.volumeControl !== "none" && device.availability !== "unreachable"
		show(this.#level, hasLevel)
		if (hasLevel) this.#level.updateDevice(device)
	}

	// A file dropped here plays here.
	#takeFiles() {
		const isFile = (event) => event.dataTransfer?.types.includes("Files") && can("control")
		const ready = (event) => {
			if (!isFile(event)) return
			event.preventDefault()
			event.dataTransfer.dropEffect = "copy"
			this.classList.add("drop")
		}
		this.addEventListener("dragenter", ready)
		this.addEventListener("dragover", ready)
		this.addEventListener("dragleave", (event) => !this.contains(event.relatedTarget) && this.classList.remove("drop"))
		this.addEventListener("drop", (event) => {
			this.classList.remove("drop")
			if (!isFile(event)) return
			event.preventDefault()
			event.stopPropagation()
			const file = event.dataTransfer.files[0]
			if (file) send(this.#id, file)
		})
	}
}
customElements.define("md-device", DeviceRow)

/** All devices, in sections, with what to do if there are none. */
export class DeviceList extends Component {
	#rows = new Map()
	#sections = new Map()
	#heading
	#count
	#filter
	#search
	#empty
	#nothing
	#picker
	#order = ""

	build() {
		this.#count = h("p.count", { role: "status" })
		this.#filter = h("input", { type: "search", "aria-label": t.devices.filter, placeholder: t.devices.filter, autocomplete: "off" })
		this.#filter.addEventListener("input", () => this.arrange())
		this.#search = h("div.search", { hidden: true }, icon("search"), this.#filter)
		this.#heading = h("div.heading", null, h("h2", { id: "devices-title" }, t.devices.title), this.#count)
		this.#empty = new EmptyList()
		this.#empty.hidden = true
		this.#nothing = h("p.nothing", { role: "status", hidden: true })
		this.#picker = new PickerBanner()
		this.append(this.#picker, this.#heading, this.#search, this.#empty, this.#nothing)
		for (const name of sections) {
			const rows = h("div.cards", { role: "list" })
			const heading = h("h3", { id: `section-${name}` }, t.devices[name])
			const element = h("section", { hidden: true, "aria-labelledby": heading.id, class: name }, heading, rows)
			this.#sections.set(name, { element, rows })
			this.append(element)
		}
		setAttribute(this, "aria-labelledby", "devices-title")
	}

	update(change) {
		this.ready()
		this.#picker.update()
		const all = change === null || ["connection", "role", "picker", "applications"].some((key) => change[key])
		if (all || change.devices || change.routes) this.arrange()
		if (all || change.devices === true || change.sessions === true || change.routes === true) {
			for (const row of this.#rows.values()) row.update()
		} else {
			for (const id of this.#touched(change)) this.#rows.get(id)?.update()
		}
		const found = Object.keys(state.devices).length
		const isSearching = !state.manager.settled
		setText(this.#count, !state.isKnown ? "" : isSearching ? t.devices.searching : found ? t.devices.count(found) : "")
		this.#heading.classList.toggle("searching", isSearching)
		show(this.#empty, state.isKnown && found === 0)
		if (!this.#empty.hidden) this.#empty.update()
	}

	#touched(change) {
		const ids = new Set([...(change.devices ?? []), ...(change.routes ?? [])])
		// A device shows the names of those it plays with, and of what plays on it.
		for (const id of [...ids]) for (const other of state.devices[id]?.group ?? []) ids.add(other)
		for (const id of change.sessions ?? []) {
			const session = state.sessions[id]
			for (const device of session ? devicesOf(session) : this.#lastOn.get(id) ?? []) ids.add(device)
			if (session) this.#lastOn.set(id, new Set([...devicesOf(session), ...(this.#lastOn.get(id) ?? [])]))
			else this.#lastOn.delete(id)
			for (const device of this.#lastOn.get(id) ?? []) ids.add(device)
		}
		return ids
	}
	#lastOn = new Map()

	/** Puts the rows in order; those that stay in place are not touched. */
	arrange() {
		const devices = sortedDevices()
		const words = this.#filter.value.trim().toLowerCase()
		const fits = (device) =>
			!words || [device.name, device.protocolName, device.deviceName].some((text) => text?.toLowerCase().includes(words))
		const shown = devices.filter((device) => fits(device) && (!state.picker || canPlay(device)))
		show(this.#search, devices.length > 10 || words !== "")
		setLine(this.#nothing, words && !shown.length ? t.devices.nothingFits(this.#filter.value.trim()) : "")
		const places = new Map(sections.map((name) => [name, []]))
		for (const device of shown) places.get(sectionOf(device)).push(device.id)
		const order = JSON.stringify([...places])
		if (order === this.#order) return
		this.#order = order
		const kept = new Set(devices.map((device) => device.id))
		for (const [id, row] of this.#rows) {
			if (!kept.has(id)) {
				row.parentElement?.remove()
				this.#rows.delete(id)
			}
		}
		for (const [name, { element, rows }] of this.#sections) {
			const ids = places.get(name)
			show(element, ids.length > 0)
			arrange(
				rows,
				ids.map((id) => this.#row(id).parentElement),
			)
		}
	}

	#row(id) {
		let row = this.#rows.get(id)
		if (!row) {
			row = new DeviceRow()
			row.deviceID = id
			h("div", { role: "listitem", class: "card" }, row)
			this.#rows.set(id, row)
			row.update()
		}
		return row
	}

	focusFilter() {
		if (!this.#search.hidden) this.#filter.focus()
	}
}
customElements.define("md-devices", DeviceList)

/** One of the doctor's findings. */
export function findingItem({ severity, message, remedy }) {
	return h(
		"li",
		{ class: severity },
		icon({ fine: "check", note: "info" }[severity] ?? "warning"),
		h(
			"div",
			null,
			h("p", null, h("span.visually-hidden", null, `${t.settings.severity[severity] ?? severity}: `), ...prose(message)),
			remedy && h("p.remedy", null, ...prose(remedy)),
		),
	)
}

/** What to do when no device was found: what was tried, and a simulated one. */
class EmptyList extends Component {
	#title
	#tried
	#demo
	#asked = false

	build() {
		this.#title = h("h3", null)
		this.#tried = h("ul.tried")
		this.#demo = textButton(t.empty.demo, async () => {
			this.#demo.disabled = true
			const { done } = await act("demo", {})
			if (done) say(t.empty.demoStarted)
			this.update()
		}, { class: "button primary" })
		this.append(
			h("div.rings", { "aria-hidden": "true" }, h("i"), h("i"), h("i")),
			this.#title,
			h("p", null, t.empty.text),
			h("div.actions.center", null, this.#demo),
			h("p.faint", null, t.empty.demoText),
			this.#tried,
		)
	}

	update() {
		this.ready()
		const isSettled = state.manager.settled
		setText(this.#title, isSettled ? t.empty.title : t.devices.searching)
		this.classList.toggle("searching", !isSettled)
		this.#demo.disabled = !can("control")
		if (isSettled && !this.#asked && can("administrate")) this.#ask()
		if (!this.#asked) this.#show(state.manager.problems.map((problem) => ({ ...problem, severity: "problem" })))
	}

	// What was tried on which interface: the doctor knows.
	async #ask() {
		this.#asked = true
		try {
			const { findings } = await perform("doctor", {})
			const areas = ["network", "mdns", "ssdp", "firewall", "bluetooth", "extensions"]
			this.#show(findings.filter((finding) => areas.includes(finding.area)))
		} catch {
			this.#asked = false
		}
	}

	#show(findings) {
		this.#tried.replaceChildren(...findings.map(findingItem))
		show(this.#tried, findings.length > 0)
		setAttribute(this.#tried, "aria-label", t.empty.tried)
	}
}
customElements.define("md-empty", EmptyList)

/** In the picker of an app: for which app, and a way out. */
class PickerBanner extends Component {
	#title

	build() {
		this.#title = h("h2")
		this.append(
			icon("where"),
			h("div", null, this.#title, h("p", null, t.picker.text)),
			textButton(t.done, () => act("dismiss-picker", {})),
		)
	}

	update() {
		this.ready()
		show(this, state.picker !== null)
		if (state.picker) setText(this.#title, t.picker.title(state.picker.name || state.picker.application))
	}
}
customElements.define("md-picker", PickerBanner)
