// Where something plays: the devices that play it with their volumes, and those it can move to.

import { arrange, drawIcon, h, icon, iconButton, setAttribute, setIconButton, setLine, setText, show } from "./dom.js"
import { canJoin, canPlay, deviceIcon, isReachable, players, sortedDevices, status } from "./model.js"
import { openSheet, section } from "./sheet.js"
import { LevelSlider } from "./slider.js"
import { can, state } from "./store.js"
import { t } from "./strings.js"
import { act, say } from "./toasts.js"

export function openWhere(key) {
	openSheet({
		title: t.where.title,
		className: "where-sheet",
		build(body) {
			const here = h("div.cards", { role: "list" })
			const all = new LevelSlider()
			const allRow = h("div.card.all-row", null, h("div.device-top", null, h("span.badge.on", null, icon("speakers")), h("span.name", null, t.where.all)), all)
			const hereBlock = section(t.where.now, allRow, here)
			const others = h("div.cards", { role: "list" })
			const none = h("p.faint", null, t.where.none)
			body.append(hereBlock, section(t.where.others, none, others))
			const rows = new Map()
			const row = (id) => {
				if (!rows.has(id)) rows.set(id, new Place())
				return rows.get(id)
			}
			return () => {
				const player = players().find((each) => each.key === key)
				if (!player) return false
				const devices = sortedDevices()
				const inUse = devices.filter((device) => player.devices.includes(device.id))
				const leading = state.devices[player.devices[0]] ?? null
				show(allRow, inUse.length > 1)
				if (inUse.length > 1 && leading) all.updateGroup(leading)
				show(hereBlock, inUse.length > 0 || player.places.length > 0)
				const isGroup = inUse.length > 1 || Boolean(player.media)
				arrange(here, [
					...inUse.map((device) => row(device.id).showHere(device, player, isGroup)),
					...player.places.map((place) => row(`place:${place.id}`).showPlace(place, player)),
				])
				// An app's own session moves by its route; one that has no app here stays.
				const isMovable = Boolean(player.session) || state.applications.some((app) => app.identifier === player.application)
				const targets = devices.filter((device) => isMovable && !inUse.includes(device) && canPlay(device) && isReachable(device))
				show(none, !targets.length)
				arrange(others, targets.map((device) => row(device.id).showTarget(device, player, leading)))
			}
		},
	})
}

class Place extends HTMLElement {
	constructor() {
		super()
		let player
		let device
		let isHere = false
		const isPicking = () => this.classList.contains("picking")
		const choose = async () => {
			this.classList.add("picking")
			draw()
			const { session, id, application } = player
			await (session ? act("move", { session: id, device: device.id }) : act("route", { device: device.id, application }))
			this.classList.remove("picking")
			draw()
			main.focus()
		}
		const joinOrLeave = async () => {
			join.disabled = true
			const { media, application, devices } = player
			if (isHere) {
				await (media ? act("unroute", { device: device.id, application }) : act("leave", { device: device.id }))
			} else {
				const end = say(t.where.joining(device.name))
				await act("join", { device: device.id, other: devices[0] })
				end()
			}
			join.disabled = false
			join.focus()
		}
		const badge = h("span.badge", null, icon("speaker"))
		const name = h("span.name")
		const line = h("span.status")
		const main = h("button.device-main", { click: choose }, badge, h("span.texts", null, name, line))
		const join = iconButton("plus", "", joinOrLeave)
		const level = new LevelSlider()
		this.setAttribute("role", "listitem")
		this.classList.add("card")
		this.append(h("div.device-top", null, main, join), level)

		const draw = () => {
			setText(name, device.name)
			drawIcon(badge.firstElementChild, deviceIcon(device))
			badge.classList.toggle("on", isHere)
			main.disabled = isHere || isPicking() || !can("control")
			const text = device.availability ? status(device) : { text: "" }
			setLine(line, isHere ? text.tone === "warn" && text.text : isPicking() ? t.where.moving(device.name) : text.text)
			setAttribute(main, "aria-label", isHere ? null : t.where.move(device.name))
		}
		const put = (nextDevice, nextPlayer, nextHere, isOffered) => {
			device = nextDevice
			player = nextPlayer
			isHere = nextHere
			draw()
			show(join, isOffered)
			setAttribute(join, "aria-pressed", String(isHere))
			setIconButton(join, isHere ? "check" : "plus", t.where[isHere ? "leave" : "join"](device.name))
			join.disabled = !can("control")
			return this
		}
		this.showHere = (device, player, isGroup) => {
			level.bind(device.id)
			show(level, device.volumeControl !== "none")
			level.updateDevice(device)
			return put(device, player, true, isGroup)
		}
		this.showTarget = (device, player, leading) => {
			show(level, false)
			return put(device, player, false, Boolean(player.session && leading && canJoin(device, leading)))
		}
		this.showPlace = (place, player) => {
			show(level, place.level != null)
			level.send = (level) => act("media-volume", { session: player.id, device: place.id, level })
			level.update({ name: place.name, level: place.level, isEnabled: can("control") })
			return put(place, player, true, false)
		}
	}
}
customElements.define("md-place", Place)
