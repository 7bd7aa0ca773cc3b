// What plays: artwork, position, transport, choices, volume and place.

import { perform } from "./api.js"
import { arrange, Component, drawIcon, h, icon, iconButton, setAttribute, setIconButton, setLine, setText, setVariable, show } from "./dom.js"
import { can, state } from "./store.js"
import { clockTime, language, t } from "./strings.js"
import { LevelSlider, PositionSlider } from "./slider.js"
import { act, attempt } from "./toasts.js"
import { openWhere } from "./where.js"

/** The picture of what plays, or a sign for its kind. A picture that doesn't load is not shown. */
export class Artwork extends Component {
	#image
	#sign
	#source = null
	onpicture = () => {}

	build() {
		const loaded = (isGood) => () => {
			show(this.#image, isGood)
			this.onpicture(isGood ? this.#source : null)
		}
		this.#image = h("img", { alt: "", hidden: true, decoding: "async", draggable: "false", load: loaded(true), error: loaded(false) })
		this.#sign = icon("note")
		this.append(this.#sign, this.#image)
	}

	update({ art, isVideo }) {
		this.ready()
		drawIcon(this.#sign, isVideo ? "film" : "note")
		if (this.#source === art) return
		this.#source = art
		if (art) return (this.#image.src = art)
		show(this.#image, false)
		this.#image.removeAttribute("src")
		this.onpicture(null)
	}
}
customElements.define("md-art", Artwork)

/** Sends a command for what plays, to the session or to the app. */
function control(player, kind, extra = {}) {
	return attempt(() => {
		const session = player.id
		if (player.media) return perform("media", { session, kind, ...extra })
		if (kind === "play") return perform("resume", { session })
		if (!kind.startsWith("skip-")) return perform(kind, { session })
		const by = kind === "skip-forward" ? extra.number : -extra.number
		const end = player.start + player.duration - 0.5
		return perform("seek", { session, position: Math.min(end, Math.max(player.start, player.position() + by)) })
	})
}

/** Plays or pauses. An app may offer the toggle alone. */
function toggle(player) {
	const kind = player.isPlaying ? "pause" : "play"
	const isOffered = !player.media || player.media.state.controls.some((each) => each.kind === kind)
	return control(player, isOffered ? kind : "toggle-play-pause")
}

function updateToggle(button, player, ofWhat = "") {
	setIconButton(button, player.isPlaying ? "pause" : "play", (player.isPlaying ? t.player.pause : t.player.play) + ofWhat)
	const offered = player.controls[player.isPlaying ? "pause" : "play"]
	button.disabled = !can("control") || player.isReconnecting || !offered || offered.isEnabled === false
}

const placeOf = (player) => player.where.join(" + ") || t.player.thisComputer(player.applicationName)

/** A choice among options, as the browser's own menu in the shape of a button. */
class Choice extends Component {
	#select
	#sign
	#text
	#key = ""
	#last = null

	constructor(choose) {
		super()
		this.choose = choose
	}

	build() {
		this.#sign = icon("speed")
		this.#text = h("span", { "aria-hidden": "true" })
		const change = async () => {
			await this.choose(this.#select.value)
			// The choice is shown when the device has made it.
			this.#key = ""
			this.update(this.#last)
		}
		this.#select = h("select", { change })
		this.append(this.#sign, this.#text, this.#select)
	}

	/** Shows the options, each a value and its text; nothing for `null`. */
	update(choice) {
		this.ready()
		show(this, choice !== null)
		if (!choice) return
		this.#last = choice
		const { label, sign, options, current, isEnabled, text } = choice
		drawIcon(this.#sign, sign)
		setAttribute(this.#select, "aria-label", label)
		this.#select.disabled = !isEnabled
		const key = JSON.stringify([options, current])
		if (key !== this.#key) {
			this.#key = key
			this.#select.replaceChildren(...options.map(([value, text]) => h("option", { value }, text)))
			this.#select.value = current
		}
		setText(this.#text, text ?? options.find(([value]) => value === current)?.[1] ?? label)
	}
}
customElements.define("md-choice", Choice)

/** One thing that plays, with everything that can be done. */
export class Player extends Component {
	#player = null
	#backdrop
	#art
	#title
	#subtitle
	#note
	#position
	#buttons = {}
	#toggle
	#choices = {}
	#feedback
	#level
	#where
	#whereText
	#also
	#alsoBlock
	#alsoRows = new Map()
	#empty
	#card

	build() {
		this.#backdrop = h("img.backdrop", { alt: "", hidden: true, "aria-hidden": "true" })
		this.#art = new Artwork()
		this.#art.onpicture = (source) => {
			if (source) this.#backdrop.src = source
			show(this.#backdrop, source !== null)
		}
		this.#title = h("h3.player-title")
		this.#subtitle = h("p.player-subtitle")
		this.#note = h("p.player-note", { role: "status" })
		this.#position = new PositionSlider()
		this.#position.seek = (position) =>
			this.#player.media
				? control(this.#player, "seek-to-position", { number: position })
				: act("seek", { session: this.#player.id, position })
		this.#toggle = iconButton("play", t.player.play, () => toggle(this.#player), { class: "round big" })
		this.#level = new LevelSlider()
		this.#feedback = h("div.feedback")
		const choices = {
			speed: (value) => this.#setSpeed(Number(value)),
			audio: (value) => this.#select("audio", value),
			description: (value) => this.#select("description", value),
			subtitles: (value) => this.#select("subtitles", value),
			chapters: (value) => this.#openChapter(this.#player.chapters[value]),
			repeat: (mode) => control(this.#player, "change-repeat-mode", { mode }),
			shuffle: (mode) => control(this.#player, "change-shuffle-mode", { mode }),
		}
		for (const [name, choose] of Object.entries(choices)) this.#choices[name] = new Choice(choose)
		this.#whereText = h("span.where-name")
		this.#where = h(
			"button.where",
			{ click: () => openWhere(this.#player.key) },
			icon("where"),
			h("span.texts", null, h("small", null, t.player.where), this.#whereText),
			icon("right"),
		)
		this.#card = h(
			"div.player-card",
			null,
			this.#backdrop,
			h("div.player-top", null, this.#art, this.#title, this.#subtitle, this.#note),
			this.#position,
			h(
				"div.transport",
				{ role: "group", "aria-label": t.player.title },
				this.#button("previous", "previous", t.player.previous),
				this.#holdButton("seek-backward", "back", t.player.rewind),
				this.#button("skip-backward", "back", ""),
				this.#toggle,
				this.#button("skip-forward", "forward", ""),
				this.#holdButton("seek-forward", "forward", t.player.fastForward),
				this.#button("next", "next", t.player.next),
			),
			this.#level,
			h("div.place-line", null, this.#where, this.#button("stop", "stop", t.player.stop)),
			h("div.choices", null, ...Object.values(this.#choices), this.#feedback),
		)
		this.#also = h("div", { role: "list" })
		this.#alsoBlock = h("section.also", { hidden: true, "aria-labelledby": "also" }, h("h3", { id: "also" }, t.player.also), this.#also)
		this.#empty = h(
			"div.player-empty",
			null,
			icon("note"),
			h("h3", null, t.empty.playing),
			h("p", null, t.empty.playingText),
			h("p.faint.pointer-only", null, t.empty.dropText),
		)
		this.append(this.#empty, this.#card, this.#alsoBlock)
	}

	#button(kind, sign, label) {
		return (this.#buttons[kind] = iconButton(sign, label, () => {
			const number = this.#player.controls[kind]?.numbers?.[0]
			control(this.#player, kind, number == null ? {} : { number })
		}))
	}

	// Held down, it winds; let go, it stops.
	#holdButton(kind, sign, label) {
		let isDown = false
		const phase = (value) => {
			if (isDown === (value === "begin")) return
			isDown = value === "begin"
			control(this.#player, kind, { phase: value })
		}
		const begin = () => phase("begin")
		const end = () => phase("end")
		const keydown = (event) => [" ", "Enter"].includes(event.key) && begin()
		return (this.#buttons[kind] = iconButton(sign, label, null, {
			pointerdown: begin, pointerup: end, pointercancel: end, pointerleave: end, blur: end, keydown, keyup: end,
		}))
	}

	#select(kind, value) {
		return act("select", { session: this.#player.id, kind, identifier: value === "" ? null : value })
	}

	#setSpeed(speed) {
		if (this.#player.media) return control(this.#player, "change-playback-rate", { number: speed })
		return act("speed", { session: this.#player.id, speed })
	}

	#openChapter({ identifier, timeRange }) {
		const session = this.#player.id
		return attempt(() =>
			identifier ? perform("segment", { session, id: identifier }) : perform("seek", { session, position: timeRange.start }),
		)
	}

	/** Shows one of what plays, `null` for nothing, and below it the others, one of which `choose` shows instead. */
	update(player, others, choose) {
		this.ready()
		this.#player = player
		show(this.#empty, player === null)
		show(this.#card, player !== null)
		this.#updateAlso(others, choose)
		if (!player) return
		const mayControl = can("control") && !player.isReconnecting
		this.#art.update(player)
		setText(this.#title, player.title)
		setLine(this.#subtitle, [player.subtitle, player.collection].filter(Boolean).join(" · "))
		const notes = { isReconnecting: "reconnecting", isStarting: "starting", isBuffering: "loading", isInterrupted: "interrupted" }
		const note = Object.keys(notes).find((name) => player[name])
		setLine(this.#note, note ? t.player[notes[note]] : player.error?.message)
		this.#card.classList.toggle("is-busy", player.isBuffering || player.isStarting || player.isReconnecting)
		this.#card.classList.toggle("is-playing", player.isPlaying)
		show(this.#position, player.duration > 0 || player.hasPosition !== false)
		this.#position.update(player, mayControl)
		this.#updateTransport(player, mayControl)
		this.#updateChoices(player, mayControl)
		this.#updateFeedback(player.controls.feedback, mayControl)
		this.#updateLevel(player)
		setText(this.#whereText, placeOf(player))
		setAttribute(this.#where, "aria-label", `${t.player.where} ${placeOf(player)}. ${t.player.change}`)
	}

	#updateTransport(player, mayControl) {
		for (const [kind, button] of Object.entries(this.#buttons)) {
			const offered = player.controls[kind]
			// Where there are steps of some seconds, winding isn't needed.
			const isSpare = player.controls[kind.replace("seek-", "skip-")] && kind.startsWith("seek-")
			show(button, Boolean(offered) && !isSpare)
			button.disabled = !mayControl || !offered?.isEnabled
		}
		for (const [kind, sign] of [["skip-forward", "forward"], ["skip-backward", "back"]]) {
			const offered = player.controls[kind]
			if (!offered) continue
			const seconds = offered.numbers?.[0] ?? 10
			setIconButton(this.#buttons[kind], sign, t.player[sign](seconds))
			this.#buttons[kind].dataset.seconds = seconds
		}
		updateToggle(this.#toggle, player)
	}

	#updateChoices(player, mayControl) {
		const speeds = [...new Set([...player.speeds, player.speed])].sort((one, other) => one - other)
		this.#choices.speed.update(
			player.speed === null
				? null
				: {
						label: t.player.speed,
						sign: "speed",
						options: speeds.map((value) => [String(value), t.player.speedValue(value)]),
						current: String(player.speed),
						isEnabled: mayControl && player.canChangeSpeed !== false && !player.isLive,
					},
		)
		const options = (name, sign, list, none) => {
			const named = list.options.map((option) => [option.identifier, option.name || languageName(option.language)])
			const current = list.current ?? ""
			const isOffered = named.length > (none.length ? 0 : 1)
			const text = current === "" ? t.player[name] : undefined
			this.#choices[name].update(
				isOffered ? { label: t.player[name], sign, options: [...none, ...named], current, text, isEnabled: mayControl } : null,
			)
		}
		const off = [["", t.player.noChoice]]
		options("audio", "audio", player.audio, [])
		options("description", "described", player.description, off)
		options("subtitles", "subtitles", player.subtitles, off)
		const { chapters } = player
		const index = chapters.findIndex(({ timeRange }) => timeRange.start === player.currentChapter?.timeRange.start)
		const name = (number) => t.player.segment[chapters[number].type] ?? t.player.chapter(number + 1)
		this.#choices.chapters.update(
			chapters.length < 2
				? null
				: {
						label: t.player.chapters,
						sign: "chapters",
						options: chapters.map((chapter, number) => [
							String(number),
							`${name(number)} · ${clockTime(chapter.timeRange.start - player.start)}`,
						]),
						current: String(index),
						text: index < 0 ? undefined : name(index),
						isEnabled: mayControl && player.canSeek,
					},
		)
		for (const name of ["repeat", "shuffle"]) {
			const offered = player.controls[`change-${name}-mode`]
			const { current = "", modes = [], isEnabled } = offered ?? {}
			const text = current === "off" ? t.player[name] : undefined
			const options = modes.map((mode) => [mode, words(mode)])
			this.#choices[name].update(offered ? { label: t.player[name], sign: name, options, current, text, isEnabled: mayControl && isEnabled } : null)
		}
	}

	#updateFeedback(offered, mayControl) {
		const modes = (offered?.modes ?? []).filter((mode) => t.player.feedback[mode])
		show(this.#feedback, modes.length > 0)
		while (this.#feedback.childElementCount > modes.length) this.#feedback.lastElementChild.remove()
		modes.forEach((mode, index) => {
			if (!this.#feedback.children[index]) {
				const button = iconButton("like", "", () => {
					const { current, modes } = this.#player.controls.feedback
					const none = modes.find((each) => ["none", "unrate"].includes(each))
					control(this.#player, "feedback", { mode: (current === button.dataset.mode && none) || button.dataset.mode })
				})
				this.#feedback.append(button)
			}
			const button = this.#feedback.children[index]
			button.dataset.mode = mode
			setIconButton(button, mode, t.player.feedback[mode])
			setAttribute(button, "aria-pressed", String(offered.current === mode))
			button.disabled = !mayControl || !offered.isEnabled
		})
	}

	#updateLevel(player) {
		const level = this.#level
		const devices = player.devices.map((id) => state.devices[id]).filter(Boolean)
		const [leading] = devices
		if (player.media) {
			show(level, player.volume !== null)
			level.send = (value) => act("media-volume", { session: player.id, level: value })
			return level.update({ name: player.title, level: player.volume, isEnabled: can("control") })
		}
		show(level, Boolean(leading) && leading.volumeControl !== "none")
		if (!leading) return
		if (devices.length === 1) {
			level.bind(leading.id)
			return level.updateDevice(leading)
		}
		const all = (name, body) => attempt(() => Promise.all(devices.map(({ id }) => perform(name, { device: id, ...body }))))
		level.send = (value) => act("group-volume", { device: leading.id, level: value })
		level.sendSteps = (steps) => all("step", { steps })
		level.sendMute = (muted) => all("mute", { muted })
		level.update({
			name: t.where.all,
			level: leading.groupVolume,
			muted: devices.every((device) => device.isMuted),
			canMute: devices.every((device) => device.canMute),
			kind: leading.volumeControl,
			isEnabled: can("control"),
			isGroup: true,
		})
	}

	#updateAlso(others, choose) {
		show(this.#alsoBlock, others.length > 0)
		const rows = new Map(others.map((player) => [player.key, this.#alsoRows.get(player.key) ?? new PlayerLine(choose)]))
		this.#alsoRows = rows
		arrange(this.#also, [...rows.values()])
		for (const player of others) rows.get(player.key).update(player)
	}
}
customElements.define("md-player", Player)

const words = (mode) => mode.charAt(0).toUpperCase() + mode.slice(1).replaceAll("-", " ")

function languageName(tag) {
	try {
		return new Intl.DisplayNames([language], { type: "language" }).of(tag)
	} catch {
		return tag ?? t.player.untitled
	}
}

/** Something that plays, in a line. */
class PlayerLine extends Component {
	#art = new Artwork()
	#title = h("span.name")
	#place = h("span.status")
	#toggle
	player = null

	constructor(open) {
		super()
		this.open = open
	}

	build() {
		this.setAttribute("role", "listitem")
		this.main = h("button.device-main", { click: () => this.open(this.player.key) }, this.#art, h("span.texts", null, this.#title, this.#place))
		this.#toggle = iconButton("pause", "", () => toggle(this.player))
		this.append(this.main, this.#toggle)
	}

	update(player) {
		this.ready()
		this.player = player
		this.#art.update(player)
		setText(this.#title, player.title)
		setText(this.#place, placeOf(player))
		updateToggle(this.#toggle, player, `: ${player.title}`)
	}
}
customElements.define("md-line", PlayerLine)

/** On a phone, what plays in a bar at the bottom; it opens the player. */
export class Dock extends Component {
	#line
	#progress
	#timer = 0

	constructor(open) {
		super()
		this.#line = new PlayerLine(open)
		this.#progress = h("i.progress-line", { "aria-hidden": "true" })
	}

	build() {
		this.append(this.#line, this.#progress)
		this.#line.removeAttribute("role")
	}

	focusPlayer() {
		this.#line.main?.focus()
	}

	update(player) {
		this.ready()
		show(this, player !== null)
		clearInterval(this.#timer)
		if (!player) return
		this.#line.update(player)
		setAttribute(this.#line.main, "aria-label", `${player.title}. ${t.player.open}`)
		const draw = () => {
			const part = player.duration ? Math.min(1, (player.position() - player.start) / player.duration) : 0
			setVariable(this.#progress, "--fill", String(part))
		}
		draw()
		if (player.rate) this.#timer = setInterval(() => !document.hidden && draw(), 1000)
	}
}
customElements.define("md-dock", Dock)
