// Sliders for volume and position: range inputs, so that keys, touch and screen readers work.

import { h, iconButton, setAttribute, setIconButton, setName, setText, setVariable, show } from "./dom.js"
import { can, state } from "./store.js"
import { clockTime, t } from "./strings.js"
import { act, attempt } from "./toasts.js"
import { perform } from "./api.js"

/** A level from 0 to 1, sent while it is dragged; reports from elsewhere move it unless a finger is on it. */
export class LevelSlider extends HTMLElement {
	constructor(device) {
		super()
		let isHeld = false
		let quietUntil = 0
		let level = 0
		let isKnown = true
		let isMuted = false
		let isSending = false
		let next = null
		this.send = async () => {}
		const drag = () => {
			isHeld = isKnown = true
			level = input.valueAsNumber / 100
			draw()
			send()
		}
		const rest = () => (quietUntil = performance.now() + 700)
		const release = () => {
			isHeld = false
			rest()
		}
		const input = h("input.range", { type: "range", min: 0, max: 100, step: 1, input: drag, change: release, pointerup: release, pointercancel: release })
		const mute = iconButton("volume", "", () => this.sendMute?.(!isMuted), { class: "round mute" })
		const value = h("output.level")
		const down = iconButton("minus", "", () => this.sendSteps?.(-1))
		const up = iconButton("plus", "", () => this.sendSteps?.(1))
		const steps = h("div.steps", null, down, up)
		this.append(mute, input, steps, value)

		const draw = () => {
			const percent = Math.round(level * 100)
			if (!isHeld && input.valueAsNumber !== percent) input.value = percent
			setVariable(input, "--fill", String(level))
			setAttribute(input, "aria-valuetext", t.volume.value(level))
			setText(value, isKnown ? String(percent) : "–")
		}
		// One at a time, the latest next: a slow device gets the end of the movement, not all of it.
		const send = async () => {
			next = level
			if (isSending) return
			isSending = true
			while (next !== null) {
				const value = next
				next = null
				await this.send(value)
			}
			isSending = false
			rest()
		}

		this.bind = (device) => {
			this.send = (level) => act("volume", { device, level })
			this.sendMute = (muted) => act("mute", { device, muted })
			this.sendSteps = (steps) => act("step", { device, steps })
		}
		if (device) this.bind(device)

		this.updateDevice = ({ name, volume, isMuted, canMute, volumeControl }) =>
			this.update({ name, level: volume, muted: isMuted, canMute, kind: volumeControl, isEnabled: can("control") })

		this.updateGroup = ({ id, group, groupVolume, volumeControl }) => {
			const devices = (group?.length ? group : [id]).map((each) => state.devices[each]).filter(Boolean)
			const all = (name, body) => attempt(() => Promise.all(devices.map(({ id }) => perform(name, { device: id, ...body }))))
			this.send = (level) => act("group-volume", { device: id, level })
			this.sendSteps = (steps) => all("step", { steps })
			this.sendMute = (muted) => all("mute", { muted })
			this.update({
				name: t.where.all,
				level: groupVolume,
				muted: devices.every((device) => device.isMuted),
				canMute: devices.every((device) => device.canMute),
				kind: volumeControl,
				isEnabled: can("control"),
				isGroup: true,
			})
		}

		/** `level` is `null` if it is unknown, `kind` absolute, relative or none. */
		this.update = ({ name, level: reported, muted = false, canMute = false, kind = "absolute", isEnabled, isGroup = false }) => {
			isMuted = muted
			show(input, kind === "absolute")
			show(value, kind === "absolute")
			show(steps, kind === "relative")
			input.disabled = down.disabled = up.disabled = !isEnabled
			mute.disabled = !isEnabled || !canMute
			setAttribute(input, "aria-label", isGroup ? t.volume.group : t.volume.label(name))
			setName(down, t.volume.quieter(name))
			setName(up, t.volume.louder(name))
			isKnown = reported != null || isHeld
			const isQuiet = isHeld || isSending || performance.now() < quietUntil
			if (!isQuiet || reported == null) level = reported ?? 0
			setIconButton(mute, muted ? "muted" : level < 0.34 ? "quiet" : "volume", t.volume[muted ? "unmute" : "mute"](name))
			setAttribute(mute, "aria-pressed", canMute && String(muted))
			this.classList.toggle("muted", muted)
			this.classList.toggle("unknown", reported == null)
			draw()
		}
	}
}
customElements.define("md-level", LevelSlider)

const reduced = matchMedia("(prefers-reduced-motion: reduce)")
const jumps = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5, PageDown: -30, PageUp: 30 }

/** The position of what plays. It moves by itself, and only while it is seen. */
export class PositionSlider extends HTMLElement {
	constructor() {
		super()
		let player = null
		let frame = 0
		let isSeen = true
		// The place that was asked for; it stays until the host reports a new one.
		let held = null
		let wanted = null
		let shownText = ""
		this.seek = async () => {}
		const hold = () => {
			held = input.valueAsNumber
			draw()
		}
		const press = (event) => {
			const jump = jumps[event.key]
			if (!jump || !player) return
			event.preventDefault()
			const { start, duration } = player
			seek(Math.min(start + duration, Math.max(start, (held ?? player.position()) + jump)))
		}
		const seek = async (position) => {
			held = position
			draw()
			const own = (wanted = {})
			await this.seek(position)
			setTimeout(() => {
				if (wanted !== own) return
				held = null
				draw()
			}, 400)
		}
		const input = h("input.range.time", { type: "range", min: 0, step: "any", "aria-label": t.player.position, input: hold, change: () => seek(input.valueAsNumber), keydown: press })
		const ticks = h("div.ticks", { "aria-hidden": "true" })
		const now = h("span")
		const end = h("span")
		this.append(h("div.track", null, input, ticks), h("div.times", { "aria-hidden": "true" }, now, end))

		const draw = () => {
			if (!player) return
			const { start, duration, isLive, key } = player
			const place = held ?? player.position()
			const fill = duration > 0 ? Math.min(1, Math.max(0, (place - start) / duration)) : 0
			// A quarter of a pixel is the least that can be seen.
			setVariable(input, "--fill", String(Math.round(fill * 2000) / 2000))
			if (held === null) input.value = place
			const time = clockTime(place - start)
			const text = [time, duration, isLive, key].join()
			if (text === shownText) return
			shownText = text
			const whole = duration > 0 ? clockTime(duration) : ""
			setText(now, time)
			setText(end, whole || (isLive ? t.player.live : ""))
			setAttribute(input, "aria-valuetext", t.player.positionText(time, whole))
		}
		const moves = () => this.isConnected && isSeen && !document.hidden && Boolean(player?.rate)
		const run = () => {
			if (!moves() || frame) return
			let last = 0
			const step = (time) => {
				frame = 0
				if (!moves()) return
				if (!reduced.matches || time - last >= 1000) {
					last = time
					draw()
				}
				frame = requestAnimationFrame(step)
			}
			frame = requestAnimationFrame(step)
		}
		// It tells of every beginning and end of being seen, those of the element itself included.
		new IntersectionObserver(([entry]) => {
			isSeen = entry.isIntersecting
			run()
		}).observe(this)
		document.addEventListener("visibilitychange", run)

		this.update = (next, isEnabled) => {
			if (player?.key !== next.key) held = wanted = null
			player = next
			const { start, duration, chapters } = player
			const hasEnd = duration > 0
			this.classList.toggle("endless", !hasEnd)
			input.min = start
			input.max = start + (hasEnd ? duration : 1)
			input.disabled = !isEnabled || !player.canSeek
			const places = hasEnd ? chapters.slice(1).map((part) => (part.timeRange.start - start) / duration) : []
			while (ticks.childElementCount > places.length) ticks.lastElementChild.remove()
			while (ticks.childElementCount < places.length) ticks.append(h("i"))
			places.forEach((place, index) => setVariable(ticks.children[index], "--at", String(place)))
			draw()
			run()
		}
	}
}
customElements.define("md-position", PositionSlider)
