// What plays: artwork, position, transport, choices, volume and place.

import { perform } from "./api.js"
import { arrange, Component, drawIcon, h, icon, iconButton, setAttribute, setIconButton, setLine, setText, setVariable, show } from "./dom.js"
import { players } from "./model.js"
import { can, state } from "./store.js"
import { clockTime, language, t } from "./strings.js"
import { LevelSlider, PositionSlider } from "./slider.js"
import { attempt } from "./toasts.js"
import { openWhere } from "./where.js"

/** The picture of what plays, or a sign for its kind. A picture that doesn't load is not shown. */
export class Artwork extends Component {
	#image
	#sign
	#source = null

	build() {
		this.#image = h("img", { alt: "", hidden: true, decoding: "async", draggable: "false" })
		this.#sign = icon("note")
		this.append(this.#sign, this.#image)
		this.#image.addEventListener("load", () => {
			show(this.#image, true)
			this.onpicture?.(this.#source)
		})
		this.#image.addEventListener("error", () => {
			show(this.#image, false)
			this.onpicture?.(null)
		})
	}

	update(player) {
		this.ready()
		drawIcon(this.#sign, player.isVideo ? "film" : "note")
		if (this.#source === player.art) return
		this.#source = player.art
		if (player.art) return (this.#image.src = player.art)
		show(this.#image, false)
		this.#image.removeAttribute("src")
		this.onpicture?.(null)
	}
}
customElements.define("md-art", Artwork)

/** Sends a command for what plays, to the session or to the app. */
function control(player, kind, extra = {}) {
	return attempt(() => {
		if (player.media) return perform("media", { session: player.id, kind, ...extra })
		const session = player.id
		switch (kind) {
			case "play":
				return perform("resume", { session })
			case "skip-forward":
			case "skip-backward": {
				const by = kind === "skip-forward" ? extra.number : -extra.number
				const end = player.start + player.duration - 0.5
				return perform("seek", { session, position: Math.min(end, Math.max(player.start, player.position() + by)) })
			}
			default:
				return perform(kind, { session })
		}
	})
}

const playKind = (player) => {
	const kind = player.isPlaying ? "pause" : "play"
	// An app may offer the toggle alone.
	return player.media && !player.media.state.controls.some((each) => each.kind === kind) ? "toggle-play-pause" : kind
}

/** A choice among options, as the browser's own menu in the shape of a button. */
class Choice extends Component {
	#select
	#sign
	#text
	#key = ""
	choose = () => {}

	build() {
		this.#sign = icon("speed")
		this.#text = h("span", { "aria-hidden": "true" })
		this.#select = h("select", null)
		this.append(this.#sign, this.#text, this.#select)
		this.#select.addEventListener("change", async () => {
			await this.choose(this.#select.value)
			this.#key = ""
			this.#refresh?.()
		})
	}
	#refresh = null

	update({ label, sign, options, current, isEnabled, text }) {
		this.ready()
		drawIcon(this.#sign, sign)
		setAttribute(this.#select, "aria-label", label)
		this.#select.disabled = !isEnabled
		this.#refresh = () => this.update({ label, sign, options, current, isEnabled, text })
		const key = JSON.stringify([options, current])
		if (key !== this.#key) {
			this.#key = key
			this.#select.replaceChildren(...options.map((option) => h("option", { value: option.value, selected: option.value === current }, option.text)))
			this.#select.value = current
		}
		setText(this.#text, text ?? options.find((option) => option.value === current)?.text ?? label)
	}
}
customElements.define("md-choice", Choice)

/** One thing that plays, with everything that can be done. */
export class Player extends Component {
	#player = null
	#art
	#backdrop
	#title
	#subtitle
	#note
	#position
	#buttons = {}
	#choices = {}
	#feedback
	#levels
	#where
	#whereText
	#also
	#alsoRows = new Map()
	#empty
	#card

	build() {
		this.#backdrop = h("img", { class: "backdrop", alt: "", hidden: true, "aria-hidden": "true" })
		this.#art = new Artwork()
		this.#art.onpicture = (source) => {
			if (source) this.#backdrop.src = source
			show(this.#backdrop, source !== null)
		}
		this.#title = h("h3", { class: "player-title" })
		this.#subtitle = h("p", { class: "player-subtitle" })
		this.#note = h("p", { class: "player-note", role: "status" })
		this.#position = new PositionSlider()
		this.#position.seek = (position) =>
			this.#player.media
				? control(this.#player, "seek-to-position", { number: position })
				: attempt(() => perform("seek", { session: this.#player.id, position }))
		const button = (kind, sign, label, className = "round") => {
			const element = iconButton(sign, label, () => control(this.#player, kind, this.#numberOf(kind)), { class: className })
			this.#buttons[kind] = element
			return element
		}
		const playButton = iconButton("play", t.player.play, () => control(this.#player, playKind(this.#player)), { class: "round big" })
		this.#buttons.toggle = playButton
		const hold = (kind, sign, label) => {
			const element = iconButton(sign, label, () => {})
			// Held down, it winds; let go, it stops.
			let isDown = false
			const phase = (value) => {
				if (isDown === (value === "begin")) return
				isDown = value === "begin"
				control(this.#player, kind, { phase: value })
			}
			element.addEventListener("pointerdown", () => phase("begin"))
			for (const event of ["pointerup", "pointercancel", "pointerleave", "blur"]) element.addEventListener(event, () => phase("end"))
			element.addEventListener("keydown", (event) => (event.key === "Enter" || event.key === " ") && phase("begin"))
			element.addEventListener("keyup", () => phase("end"))
			this.#buttons[kind] = element
			return element
		}
		const transport = h(
			"div",
			{ class: "transport", role: "group", "aria-label": t.player.title },
			button("previous", "previous", t.player.previous),
			hold("seek-backward", "back", t.player.rewind),
			button("skip-backward", "back", ""),
			playButton,
			button("skip-forward", "forward", ""),
			hold("seek-forward", "forward", t.player.fastForward),
			button("next", "next", t.player.next),
		)
		const choice = (name, choose) => {
			const element = new Choice()
			element.choose = choose
			this.#choices[name] = element
			return element
		}
		const select = (kind) => (identifier) => this.#select(kind, identifier)
		this.#feedback = h("div", { class: "feedback" })
		const modes = (kind) => (mode) => control(this.#player, kind, { mode })
		const row = h(
			"div",
			{ class: "choices" },
			choice("speed", (value) => this.#setSpeed(Number(value))),
			choice("audio", select("audio")),
			choice("description", select("description")),
			choice("subtitles", select("subtitles")),
			choice("chapters", (value) => this.#openChapter(Number(value))),
			choice("repeat", modes("change-repeat-mode")),
			choice("shuffle", modes("change-shuffle-mode")),
			this.#feedback,
		)
		this.#whereText = h("span", { class: "where-name" })
		this.#where = h(
			"button",
			{ type: "button", class: "where", on: { click: () => openWhere(this.#player.key) } },
			icon("where"),
			h("span", { class: "texts" }, h("small", null, t.player.where), this.#whereText),
			icon("right"),
		)
		this.#levels = h("div", { class: "levels" })
		this.#card = h(
			"div",
			{ class: "player-card" },
			this.#backdrop,
			h("div", { class: "player-top" }, this.#art, h("div", { class: "player-texts" }, this.#title, this.#subtitle, this.#note)),
			this.#position,
			transport,
			this.#levels,
			row,
			h("div", { class: "place-line" }, this.#where, button("stop", "stop", t.player.stop)),
		)
		this.#also = h("div", { class: "also-list", role: "list" })
		this.alsoBlock = h("section", { class: "also", hidden: true, "aria-labelledby": "also-title" }, h("h3", { id: "also-title" }, t.player.also), this.#also)
		this.#empty = h(
			"div",
			{ class: "player-empty" },
			icon("note"),
			h("h3", null, t.empty.playing),
			h("p", null, t.empty.playingText),
			h("p", { class: "faint pointer-only" }, t.empty.dropText),
		)
		this.append(this.#empty, this.#card, this.alsoBlock)
	}

	#numberOf(kind) {
		const offered = this.#player.controls[kind]
		return offered?.numbers?.length ? { number: offered.numbers[0] } : {}
	}

	#select(kind, identifier) {
		const body = { session: this.#player.id, kind, identifier: identifier === "" ? null : identifier }
		return attempt(() => perform("select", body))
	}

	#setSpeed(speed) {
		if (this.#player.media) return control(this.#player, "change-playback-rate", { number: speed })
		return attempt(() => perform("speed", { session: this.#player.id, speed }))
	}

	#openChapter(index) {
		const chapter = this.#player.chapters[index]
		if (!chapter) return
		const session = this.#player.id
		return attempt(() =>
			chapter.identifier
				? perform("segment", { session, id: chapter.identifier })
				: perform("seek", { session, position: chapter.timeRange.start }),
		)
	}

	/** Shows one of what plays; `null` for nothing. */
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
		const note = player.isReconnecting
			? t.player.reconnecting
			: player.isStarting
			  ? t.player.starting
			  : player.isBuffering
				? t.player.loading
				: player.isInterrupted
				  ? t.player.interrupted
				  : player.error?.message ?? ""
		setLine(this.#note, note)
		this.#card.classList.toggle("is-busy", player.isBuffering || player.isStarting || player.isReconnecting)
		this.#card.classList.toggle("is-playing", player.isPlaying)
		show(this.#position, player.duration > 0 || player.hasPosition !== false)
		this.#position.update(player, mayControl)
		this.#updateTransport(player, mayControl)
		this.#updateChoices(player, mayControl)
		this.#updateLevels(player)
		const names = player.where.length ? t.player.whereNames(player.where) : t.player.thisComputer(player.applicationName)
		setText(this.#whereText, names)
		setAttribute(this.#where, "aria-label", `${t.player.where} ${names}. ${t.player.change}`)
	}

	#updateTransport(player, mayControl) {
		for (const [kind, button] of Object.entries(this.#buttons)) {
			if (kind === "toggle") continue
			const offered = player.controls[kind]
			show(button, Boolean(offered))
			button.disabled = !mayControl || !offered?.isEnabled
		}
		// Skipping by seconds is enough of a way through what can seek.
		for (const [wind, skip] of [["seek-forward", "skip-forward"], ["seek-backward", "skip-backward"]]) {
			if (player.controls[skip]) show(this.#buttons[wind], false)
		}
		for (const [kind, label] of [["skip-forward", t.player.forward], ["skip-backward", t.player.back]]) {
			const offered = player.controls[kind]
			if (!offered) continue
			const sign = kind === "skip-forward" ? "forward" : "back"
			const seconds = offered.numbers?.[0] ?? 10
			setIconButton(this.#buttons[kind], sign, label(seconds))
			this.#buttons[kind].dataset.seconds = seconds
		}
		const toggle = this.#buttons.toggle
		setIconButton(toggle, player.isPlaying ? "pause" : "play", player.isPlaying ? t.player.pause : t.player.play)
		const offered = player.controls[player.isPlaying ? "pause" : "play"]
		toggle.disabled = !mayControl || !offered || offered.isEnabled === false
	}

	#updateChoices(player, mayControl) {
		const speed = this.#choices.speed
		show(speed, player.speed !== null)
		if (player.speed !== null) {
			const speeds = [...new Set([...player.speeds, player.speed])].sort((one, other) => one - other)
			speed.update({
				label: t.player.speed,
				sign: "speed",
				options: speeds.map((value) => ({ value: String(value), text: t.player.speedValue(value) })),
				current: String(player.speed),
				isEnabled: mayControl && player.canChangeSpeed !== false && !player.isLive,
			})
		}
		const options = (name, sign, label, list, hasNone) => {
			const element = this.#choices[name]
			const isOffered = list.options.length > (hasNone ? 0 : 1)
			show(element, isOffered)
			if (!isOffered) return
			const named = list.options.map((option) => ({ value: option.identifier, text: option.name || languageName(option.language) }))
			const none = hasNone ? [{ value: "", text: t.player.noChoice }] : []
			const current = list.current ?? ""
			const text = current === "" ? label : named.find((option) => option.value === current)?.text
			element.update({ label, sign, options: [...none, ...named], current, text, isEnabled: mayControl })
		}
		options("audio", "audio", t.player.audio, player.audio, false)
		options("description", "described", t.player.description, player.description, true)
		options("subtitles", "subtitles", t.player.subtitles, player.subtitles, true)
		const chapters = this.#choices.chapters
		show(chapters, player.chapters.length > 1)
		if (player.chapters.length > 1) {
			const start = player.currentChapter?.timeRange.start
			const index = player.chapters.findIndex((chapter) => chapter.timeRange.start === start)
			chapters.update({
				label: t.player.chapters,
				sign: "chapters",
				options: player.chapters.map((chapter, number) => ({
					value: String(number),
					text: `${t.player.chapter(number + 1, t.player.segment[chapter.type])} · ${clockTime(chapter.timeRange.start - player.start)}`,
				})),
				current: String(index),
				text: index < 0 ? t.player.chapters : t.player.chapter(index + 1, t.player.segment[player.chapters[index].type]),
				isEnabled: mayControl && player.canSeek,
			})
		}
		for (const [name, kind, sign, label] of [["repeat", "change-repeat-mode", "repeat", t.player.repeat], ["shuffle", "change-shuffle-mode", "shuffle", t.player.shuffle]]) {
			const offered = player.controls[kind]
			show(this.#choices[name], Boolean(offered))
			if (!offered) continue
			this.#choices[name].update({
				label,
				sign,
				options: (offered.modes ?? []).map((mode) => ({ value: mode, text: words(mode) })),
				current: offered.current ?? "",
				text: offered.current && offered.current !== "off" ? words(offered.current) : label,
				isEnabled: mayControl && offered.isEnabled,
			})
		}
		this.#updateFeedback(player.controls.feedback, mayControl)
	}

	#updateFeedback(offered, mayControl) {
		const modes = (offered?.modes ?? []).filter((mode) => ["like", "dislike"].includes(mode))
		show(this.#feedback, modes.length > 0)
		while (this.#feedback.childElementCount > modes.length) this.#feedback.lastElementChild.remove()
		modes.forEach((mode, index) => {
			let button = this.#feedback.children[index]
			if (!button) {
				button = iconButton("like", "", () => {
					const { current, modes } = this.#player.controls.feedback
					const mode = button.dataset.mode
					const none = modes.find((each) => each === "none" || each === "unrate") ?? mode
					control(this.#player, "feedback", { mode: current === mode ? none : mode })
				})
				this.#feedback.append(button)
			}
			button.dataset.mode = mode
			setIconButton(button, mode, (mode === "like" && offered.title) || t.player.feedback[mode])
			setAttribute(button, "aria-pressed", String(offered.current === mode))
			button.disabled = !mayControl || !offered.isEnabled
		})
	}

	#updateLevels(player) {
		const level = this.#level()
		const isEnabled = can("control")
		if (player.session) {
			const devices = player.devices.map((id) => state.devices[id]).filter(Boolean)
			const leading = devices[0]
			const isGroup = devices.length > 1
			show(level, Boolean(leading) && leading.volumeControl !== "none")
			if (!leading) return
			level.send = (value) =>
				attempt(() => perform(isGroup ? "group-volume" : "volume", { device: leading.id, level: value }))
			level.sendSteps = (steps) => attempt(() => Promise.all(devices.map((device) => perform("step", { device: device.id, steps }))))
			level.sendMute = (muted) => attempt(() => Promise.all(devices.map((device) => perform("mute", { device: device.id, muted }))))
			level.update({
				name: isGroup ? t.where.all : leading.name,
				level: (isGroup ? leading.groupVolume : leading.volume) ?? null,
				muted: devices.every((device) => device.isMuted),
				canMute: devices.every((device) => device.canMute),
				kind: leading.volumeControl,
				isEnabled,
				isGroup,
			})
		} else {
			show(level, player.volume !== null)
			level.send = (value) => attempt(() => perform("media-volume", { session: player.id, level: value }))
			level.update({ name: player.title, level: player.volume, isEnabled })
		}
	}

	#level() {
		if (!this.#levels.firstElementChild) this.#levels.append(new LevelSlider())
		return this.#levels.firstElementChild
	}

	#updateAlso(others, choose) {
		show(this.alsoBlock, others.length > 0)
		const kept = new Set(others.map((player) => player.key))
		for (const key of this.#alsoRows.keys()) if (!kept.has(key)) this.#alsoRows.delete(key)
		arrange(
			this.#also,
			others.map((player) => {
				let row = this.#alsoRows.get(player.key)
				if (!row) {
					row = new AlsoRow()
					row.setAttribute("role", "listitem")
					this.#alsoRows.set(player.key, row)
				}
				row.update(player, choose)
				return row
			}),
		)
	}
}
customElements.define("md-player", Player)

const words = (mode) => mode.charAt(0).toUpperCase() + mode.slice(1).replaceAll("-", " ")

function languageName(tag) {
	if (!tag) return t.player.untitled
	try {
		return new Intl.DisplayNames([language], { type: "language" }).of(tag)
	} catch {
		return tag
	}
}

/** Something else that plays, in a line. */
class AlsoRow extends Component {
	#art
	#title
	#place
	#toggle
	#player
	#choose

	build() {
		this.#art = new Artwork()
		this.#title = h("span", { class: "name" })
		this.#place = h("span", { class: "status" })
		const main = h("button", { type: "button", class: "device-main", on: { click: () => this.#choose(this.#player.key) } }, this.#art, h("span", { class: "texts" }, this.#title, this.#place))
		this.#toggle = iconButton("pause", "", () => control(this.#player, playKind(this.#player)))
		this.append(main, this.#toggle)
	}

	update(player, choose) {
		this.ready()
		this.#player = player
		this.#choose = choose
		this.#art.update(player)
		setText(this.#title, player.title)
		setText(this.#place, player.where.join(" + ") || t.player.thisComputer(player.applicationName))
		setIconButton(this.#toggle, player.isPlaying ? "pause" : "play", `${player.isPlaying ? t.player.pause : t.player.play}: ${player.title}`)
		const offered = player.controls[player.isPlaying ? "pause" : "play"]
		this.#toggle.disabled = !can("control") || !offered || offered.isEnabled === false
	}
}
customElements.define("md-also", AlsoRow)

/** On a phone, what plays in a bar at the bottom; it opens the player. */
export class Dock extends Component {
	#art
	#title
	#place
	#toggle
	#player
	#line
	#timer = 0
	open = () => {}

	build() {
		this.#art = new Artwork()
		this.#title = h("span", { class: "name" })
		this.#place = h("span", { class: "status" })
		this.#line = h("i", { class: "progress-line", "aria-hidden": "true" })
		this.main = h("button", { type: "button", class: "device-main", on: { click: () => this.open() } }, this.#art, h("span", { class: "texts" }, this.#title, this.#place))
		this.#toggle = iconButton("pause", "", () => control(this.#player, playKind(this.#player)))
		this.append(this.#line, this.main, this.#toggle)
	}

	update(player) {
		this.ready()
		this.#player = player
		show(this, player !== null)
		clearInterval(this.#timer)
		this.#timer = 0
		if (!player) return
		this.#art.update(player)
		setText(this.#title, player.title)
		setText(this.#place, player.where.join(" + ") || t.player.thisComputer(player.applicationName))
		setAttribute(this.main, "aria-label", `${player.title}. ${t.player.open}`)
		setIconButton(this.#toggle, player.isPlaying ? "pause" : "play", player.isPlaying ? t.player.pause : t.player.play)
		const offered = player.controls[player.isPlaying ? "pause" : "play"]
		this.#toggle.disabled = !can("control") || player.isReconnecting || !offered || offered.isEnabled === false
		const draw = () =>
			setVariable(this.#line, "--fill", player.duration ? String(Math.min(1, (player.position() - player.start) / player.duration)) : "0")
		draw()
		if (player.rate && this.offsetParent) this.#timer = setInterval(() => !document.hidden && draw(), 1000)
	}
}
customElements.define("md-dock", Dock)
