// Where something plays: the devices that play it with their volumes, and those it can move to.

import { perform } from "./api.js"
import { arrange, Component, drawIcon, h, icon, iconButton, setAttribute, setIconButton, setLine, setText, show } from "./dom.js"
import { canJoin, canPlay, deviceIcon, isReachable, players, sortedDevices, status } from "./model.js"
import { openSheet, section } from "./sheet.js"
import { LevelSlider } from "./slider.js"
import { can, state } from "./store.js"
import { t } from "./strings.js"
import { act, attempt, say } from "./toasts.js"

export function openWhere(key) {
	openSheet({
		title: t.where.title,
		className: "where-sheet",
		build(body) {
			const here = h("div.cards.flat", { role: "list" })
			const hereBlock = section(t.where.now, here)
			const all = new LevelSlider()
			const allRow = h("div.card.all-row", null, h("div.device-top", null, h("span.badge.on", null, icon("speakers")), h("span.name", null, t.where.all)), all)
			here.before(allRow)
			const others = h("div.cards.flat", { role: "list" })
			const none = h("p.faint", null, t.where.none)
			const othersBlock = section(t.where.others, none, others)
			body.append(hereBlock, othersBlock)
			const rows = new Map()
			const row = (id) => {
				if (!rows.has(id)) {
					const element = new Place()
					rows.set(id, element)
				}
				return rows.get(id)
			}
			const update = () => {
				const player = players().find((each) => each.key === key)
				if (!player) return false
				const playing = new Set(player.devices)
				const devices = sortedDevices()
				const inUse = devices.filter((device) => playing.has(device.id))
				const leading = state.devices[player.devices[0]] ?? null
				show(allRow, inUse.length > 1)
				if (inUse.length > 1 && leading) {
					all.send = (level) => act("group-volume", { device: leading.id, level })
					all.update({ name: t.where.all, level: leading.groupVolume ?? null, kind: leading.volumeControl, isEnabled: can("control"), isGroup: true })
				}
				show(hereBlock, inUse.length > 0 || player.places.length > 0)
				const places = player.places.map((place) => {
					const element = row(`place:${place.id}`)
					element.showPlace(place, player)
					return element
				})
				arrange(here, [
					...inUse.map((device) => {
						const element = row(device.id)
						element.showHere(device, player, inUse.length > 1 || Boolean(player.media))
						return element
					}),
					...places,
				])
				const targets = devices.filter((device) => !playing.has(device.id) && canPlay(device) && isReachable(device))
				// An app's own session moves by its route; one that has no app here stays.
				const isMovable = Boolean(player.session) || state.applications.some((app) => app.identifier === player.application)
				show(none, !isMovable || targets.length === 0)
				arrange(others, isMovable ? targets.map((device) => {
					const element = row(device.id)
					element.showTarget(device, player, leading)
					return element
				}) : [])
				return true
			}
			return update
		},
	})
}

/** A device in the picker. */
class Place extends Component {
	#main
	#badge
	#name
	#status
	#join
	#level
	#player
	#device
	#mode = ""

	build() {
		this.#badge = h("span.badge", null, icon("speaker"))
		this.#name = h("span.name")
		this.#status = h("span.status")
		this.#main = h("button.device-main", { click: () => this.#choose() }, this.#badge, h("span.texts", null, this.#name, this.#status))
		this.#join = iconButton("plus", "", () => this.#joinOrLeave())
		this.#level = new LevelSlider()
		this.setAttribute("role", "listitem")
		this.classList.add("card")
		this.append(h("div.device-top", null, this.#main, this.#join), this.#level)
	}

	#show(device, mode, player) {
		this.ready()
		this.#device = device
		this.#player = player
		this.#mode = mode
		setText(this.#name, device.name)
		drawIcon(this.#badge.firstElementChild, deviceIcon(device))
		this.#badge.classList.toggle("on", mode === "here")
	}

	#showJoin(isOffered, isPressed, label) {
		show(this.#join, isOffered)
		setAttribute(this.#join, "aria-pressed", String(isPressed))
		setIconButton(this.#join, isPressed ? "check" : "plus", label)
		this.#join.disabled = !can("control")
	}

	showHere(device, player, isGroup) {
		this.#show(device, "here", player)
		setLine(this.#status, status(device).tone === "warn" ? t.devices.unreachable : "")
		this.#main.disabled = true
		this.#showJoin(isGroup, true, t.where.leave(device.name))
		this.#level.bind(device.id)
		show(this.#level, device.volumeControl !== "none")
		this.#level.updateDevice(device)
	}

	showTarget(device, player, leading) {
		this.#show(device, "target", player)
		setLine(this.#status, this.classList.contains("picking") ? t.where.moving(device.name) : status(device).text)
		this.#main.disabled = !can("control") || this.classList.contains("picking")
		setAttribute(this.#main, "aria-label", t.where.move(device.name))
		const isJoinable = Boolean(player.session && leading && canJoin(device, leading))
		this.#showJoin(isJoinable, false, t.where.join(device.name))
		show(this.#level, false)
	}

	// A device of a remote session, which only its app reaches.
	showPlace(place, player) {
		this.#show(place, "here", player)
		setLine(this.#status, "")
		this.#main.disabled = true
		show(this.#join, false)
		show(this.#level, place.level != null)
		this.#level.send = (level) => act("media-volume", { session: player.id, device: place.id, level })
		this.#level.update({ name: place.name, level: place.level ?? null, isEnabled: can("control") })
	}

	async #choose() {
		const { id, name } = this.#device
		const player = this.#player
		this.classList.add("picking")
		this.#main.disabled = true
		setLine(this.#status, t.where.moving(name))
		await attempt(() =>
			player.session
				? perform("move", { session: player.id, device: id })
				: perform("route", { device: id, application: player.application }),
		)
		this.classList.remove("picking")
		if (!this.isConnected) return
		this.#main.disabled = this.#mode === "here"
		if (this.#mode === "target") setLine(this.#status, status(this.#device).text)
		this.#main.focus()
	}

	async #joinOrLeave() {
		const { id, name } = this.#device
		this.#join.disabled = true
		if (this.#mode === "here") {
			const { media, application } = this.#player
			await (media ? act("unroute", { device: id, application }) : act("leave", { device: id }))
		} else {
			const end = say(t.where.joining(name))
			await act("join", { device: id, other: this.#player.devices[0] })
			end()
		}
		this.#join.disabled = false
		this.#join.focus()
	}
}
customElements.define("md-place", Place)
