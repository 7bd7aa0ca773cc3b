// Sliders for volume and position: the browser's own range inputs, so that keys, touch and screen readers work.

import { Component, h, icon, iconButton, setAttribute, setIconButton, setText, setVariable, show } from "./dom.js"
import { can } from "./store.js"
import { clockTime, t } from "./strings.js"
import { act } from "./toasts.js"

/** A level from 0 to 1, sent while it is dragged; reports from elsewhere move it unless a finger is on it. */
export class LevelSlider extends Component {
	#input
	#icon
	#mute
	#value
	#steps
	#isHeld = false
	#quietUntil = 0
	#level = 0
	#isKnown = true
	#sending = false
	#next = null

	/** What sends a level; returns a promise. */
	send = async () => {}
	sendMute = null
	sendSteps = null

	build() {
		this.#input = h("input", { type: "range", min: 0, max: 100, step: 1, class: "range" })
		this.#mute = iconButton("volume", "", () => this.sendMute?.(!this.isMuted), { class: "round small mute" })
		this.#icon = this.#mute
		this.#value = h("output.level")
		this.#steps = h(
			"div.steps",
			null,
			iconButton("minus", "", () => this.sendSteps?.(-1)),
			iconButton("plus", "", () => this.sendSteps?.(1)),
		)
		this.append(this.#mute, this.#input, this.#steps, this.#value)
		this.#input.addEventListener("input", () => {
			this.#isHeld = true
			this.#isKnown = true
			this.#level = this.#input.valueAsNumber / 100
			this.#draw()
			this.#send(this.#level)
		})
		const release = () => {
			this.#isHeld = false
			this.#quietUntil = performance.now() + 700
		}
		this.#input.addEventListener("change", release)
		this.#input.addEventListener("pointerup", release)
		this.#input.addEventListener("pointercancel", release)
	}

	isMuted = false

	/** The level of one device. */
	bind(device) {
		this.send = (level) => act("volume", { device, level })
		this.sendMute = (muted) => act("mute", { device, muted })
		this.sendSteps = (steps) => act("step", { device, steps })
	}

	updateDevice({ name, volume, isMuted, canMute, volumeControl }) {
		this.update({ name, level: volume, muted: isMuted, canMute, kind: volumeControl, isEnabled: can("control") })
	}

	/** `level` is `null` if it is unknown, `kind` absolute, relative or none. */
	update({ name, level, muted = false, canMute = false, kind = "absolute", isEnabled = true, isGroup = false }) {
		this.ready()
		this.isMuted = muted
		const isAbsolute = kind === "absolute"
		show(this.#input, isAbsolute)
		show(this.#value, isAbsolute)
		show(this.#steps, kind === "relative")
		this.#input.disabled = !isEnabled
		setAttribute(this.#input, "aria-label", isGroup ? t.volume.group : t.volume.label(name))
		this.#mute.disabled = !isEnabled || !canMute
		const [down, up] = this.#steps.children
		setAttribute(down, "aria-label", t.volume.quieter(name))
		setAttribute(up, "aria-label", t.volume.louder(name))
		down.disabled = up.disabled = !isEnabled
		this.#isKnown = level != null || this.#isHeld
		const isQuiet = this.#isHeld || this.#sending || performance.now() < this.#quietUntil
		if (!isQuiet || level == null) this.#level = level ?? 0
		const shape = muted ? "muted" : this.#level < 0.34 ? "quiet" : "volume"
		setIconButton(this.#mute, shape, muted ? t.volume.unmute(name) : t.volume.mute(name))
		setAttribute(this.#mute, "aria-pressed", canMute ? String(muted) : null)
		this.classList.toggle("muted", muted)
		this.classList.toggle("unknown", level == null)
		this.#draw()
	}

	#draw() {
		const percent = Math.round(this.#level * 100)
		if (!this.#isHeld && this.#input.valueAsNumber !== percent) this.#input.value = percent
		setVariable(this.#input, "--fill", String(this.#level))
		setAttribute(this.#input, "aria-valuetext", t.volume.value(this.#level))
		setText(this.#value, this.#isKnown ? String(percent) : "–")
	}

	// One at a time, the latest next: a slow device gets the end of the movement, not all of it.
	async #send(level) {
		this.#next = level
		if (this.#sending) return
		this.#sending = true
		while (this.#next !== null) {
			const value = this.#next
			this.#next = null
			await this.send(value)
		}
		this.#sending = false
		this.#quietUntil = performance.now() + 700
	}
}
customElements.define("md-level", LevelSlider)

const reduced = matchMedia("(prefers-reduced-motion: reduce)")

/** The position of what plays. It moves by itself, and only while it is seen. */
export class PositionSlider extends Component {
	#input
	#ticks
	#now
	#end
	#player = null
	#frame = 0
	#isSeen = true
	#held = null
	#shownText = ""
	#observer
	#wanted = null

	seek = async () => {}

	build() {
		this.#input = h("input", { type: "range", min: 0, step: "any", class: "range time", "aria-label": t.player.position })
		this.#ticks = h("div.ticks", { "aria-hidden": "true" })
		this.#now = h("span")
		this.#end = h("span")
		this.append(
			h("div.track", null, this.#input, this.#ticks),
			h("div.times", { "aria-hidden": "true" }, this.#now, this.#end),
		)
		this.#input.addEventListener("input", () => {
			this.#held = this.#input.valueAsNumber
			this.#draw()
		})
		this.#input.addEventListener("change", () => this.#seek(this.#input.valueAsNumber))
		this.#input.addEventListener("keydown", (event) => {
			const steps = { ArrowLeft: -5, ArrowDown: -5, ArrowRight: 5, ArrowUp: 5, PageDown: -30, PageUp: 30 }
			const step = steps[event.key]
			if (!step || !this.#player) return
			event.preventDefault()
			const { start, duration } = this.#player
			const from = this.#held ?? this.#player.position()
			this.#seek(Math.min(start + duration, Math.max(start, from + step)))
		})
		this.#observer = new IntersectionObserver(([entry]) => {
			this.#isSeen = entry.isIntersecting
			this.#run()
		})
		document.addEventListener("visibilitychange", () => this.#run())
		reduced.addEventListener("change", () => this.#run())
	}

	attached() {
		this.#observer.observe(this)
		this.#run()
	}

	detached() {
		this.#observer.disconnect()
		cancelAnimationFrame(this.#frame)
		this.#frame = 0
	}

	// The place that was asked for stays until the host reports a new one.
	async #seek(position) {
		this.#held = position
		this.#draw()
		const wanted = (this.#wanted = {})
		const end = () => {
			if (this.#wanted !== wanted) return
			this.#held = null
			this.#draw()
		}
		await this.seek(position)
		setTimeout(end, 400)
	}

	update(player, isEnabled) {
		this.ready()
		const isOther = this.#player?.key !== player.key
		this.#player = player
		if (isOther) {
			this.#held = null
			this.#wanted = null
		}
		const hasEnd = player.duration > 0
		this.classList.toggle("endless", !hasEnd)
		this.#input.min = player.start
		this.#input.max = player.start + (hasEnd ? player.duration : 1)
		this.#input.disabled = !isEnabled || !player.canSeek
		this.#drawTicks(player)
		this.#draw()
		this.#run()
	}

	#drawTicks(player) {
		const places = player.duration > 0 ? player.chapters.slice(1).map((part) => (part.timeRange.start - player.start) / player.duration) : []
		while (this.#ticks.childElementCount > places.length) this.#ticks.lastElementChild.remove()
		while (this.#ticks.childElementCount < places.length) this.#ticks.append(h("i"))
		places.forEach((place, index) => setVariable(this.#ticks.children[index], "--at", String(place)))
	}

	#draw() {
		const player = this.#player
		if (!player) return
		const place = this.#held ?? player.position()
		const hasEnd = player.duration > 0
		const fill = hasEnd ? Math.min(1, Math.max(0, (place - player.start) / player.duration)) : 0
		// A quarter of a pixel is the least that can be seen.
		const shown = Math.round(fill * 2000) / 2000
		setVariable(this.#input, "--fill", String(shown))
		if (this.#held === null) this.#input.value = place
		const now = clockTime(place - player.start)
		if (now === this.#shownText && this.#end.dataset.for === player.key + player.duration + player.isLive) return
		this.#shownText = now
		this.#end.dataset.for = player.key + player.duration + player.isLive
		setText(this.#now, now)
		setText(this.#end, hasEnd ? clockTime(player.duration) : player.isLive ? t.player.live : "")
		setAttribute(this.#input, "aria-valuetext", t.player.positionText(now, hasEnd ? clockTime(player.duration) : ""))
	}

	get #moves() {
		return this.isConnected && this.#isSeen && !document.hidden && this.#player !== null && this.#player.rate !== 0
	}

	#run() {
		if (!this.#moves || this.#frame) return
		let last = 0
		const step = (time) => {
			this.#frame = 0
			if (!this.#moves) return
			if (!reduced.matches || time - last >= 1000) {
				last = time
				this.#draw()
			}
			this.#frame = requestAnimationFrame(step)
		}
		this.#frame = requestAnimationFrame(step)
	}
}
customElements.define("md-position", PositionSlider)
