// What plays: artwork, position, transport, choices, volume and place.

import { arrange, drawIcon, h, icon, iconButton, keyed, setAttribute, setIconButton, setLine, setText, setVariable, show } from "./dom.js"
import { can, state } from "./store.js"
import { clockTime, language, t } from "./strings.js"
import { LevelSlider, PositionSlider } from "./slider.js"
import { act } from "./toasts.js"
import { openWhere } from "./where.js"

/** The picture of what plays, or a sign for its kind. A picture that doesn't load is not shown. */
class Artwork extends HTMLElement {
	constructor(backdrop) {
		super()
		let source = null
		const loaded = (isGood) => () => {
			for (const each of [image, backdrop]) if (each) show(each, isGood)
			if (isGood && backdrop) backdrop.src = source
		}
		const image = h("img", { alt: "", hidden: true, decoding: "async", draggable: "false", load: loaded(true), error: loaded(false) })
		const sign = icon("note")
		this.append(sign, image)
		this.update = ({ art, isVideo }) => {
			drawIcon(sign, isVideo ? "film" : "note")
			if (source === art) return
			source = art
			setAttribute(image, "src", art)
			if (!art) loaded(false)()
		}
	}
}
customElements.define("md-art", Artwork)

function control(player, kind, extra = {}) {
	const session = player.id
	if (player.media) return act("media", { session, kind, ...extra })
	if (kind === "play") return act("resume", { session })
	if (!kind.startsWith("skip-")) return act(kind, { session })
	const by = kind === "skip-forward" ? extra.number : -extra.number
	const end = player.start + player.duration - 0.5
	return act("seek", { session, position: Math.min(end, Math.max(player.start, player.position() + by)) })
}

/** Plays or pauses. An app may offer the toggle alone. */
function toggle(player) {
	const kind = player.isPlaying ? "pause" : "play"
	const isOffered = !player.media || player.media.state.controls.some((each) => each.kind === kind)
	return control(player, isOffered ? kind : "toggle-play-pause")
}

function updateToggle(button, player, ofWhat = "") {
	const kind = player.isPlaying ? "pause" : "play"
	setIconButton(button, kind, t.player[kind] + ofWhat)
	button.disabled = !can("control") || player.isReconnecting || !(player.controls[kind]?.isEnabled ?? false)
}

const placeOf = (player) => player.where.join(" + ") || t.player.thisComputer(player.applicationName)

class Choice extends HTMLElement {
	constructor(choose) {
		super()
		let last = null
		const change = async () => {
			await choose(select.value)
			// The choice is shown when the device has made it.
			select.dataset.key = ""
			this.update(last)
		}
		const sign = icon("speed")
		const text = h("span", { "aria-hidden": "true" })
		const select = h("select", { change })
		this.append(sign, text, select)

		this.update = (choice) => {
			show(this, Boolean(choice))
			if (!choice) return
			last = choice
			drawIcon(sign, choice.sign)
			setAttribute(select, "aria-label", choice.label)
			select.disabled = !choice.isEnabled
			const { options, current } = choice
			keyed(select, [options, current], () => options.map(([value, text]) => h("option", { value, selected: value === current }, text)))
			if (!options.some(([value]) => value === current)) select.value = ""
			setText(text, choice.text ?? options.find(([value]) => value === current)?.[1] ?? choice.label)
		}
	}
}
customElements.define("md-choice", Choice)

export class Player extends HTMLElement {
	constructor() {
		super()
		let player = null
		let alsoRows = new Map()
		const buttons = {}
		const button = (kind, sign, label) =>
			(buttons[kind] = iconButton(sign, label, () => {
				const number = player.controls[kind]?.numbers?.[0]
				control(player, kind, number == null ? {} : { number })
			}))
		// Held down, it winds; let go, it stops.
		const holdButton = (kind, sign, label) => {
			let isDown = false
			const phase = (value) => () => {
				if (isDown === (value === "begin")) return
				isDown = !isDown
				control(player, kind, { phase: value })
			}
			const begin = phase("begin")
			const end = phase("end")
			const keydown = (event) => [" ", "Enter"].includes(event.key) && begin()
			return (buttons[kind] = iconButton(sign, label, null, {
				pointerdown: begin, pointerup: end, pointercancel: end, pointerleave: end, blur: end, keydown, keyup: end,
			}))
		}
		const select = (kind) => (value) => act("select", { session: player.id, kind, identifier: value || null })
		const choices = {
			speed: (value) => {
				const speed = Number(value)
				return player.media ? control(player, "change-playback-rate", { number: speed }) : act("speed", { session: player.id, speed })
			},
			audio: select("audio"),
			description: select("description"),
			subtitles: select("subtitles"),
			chapters: (index) => {
				const { identifier, timeRange } = player.chapters[index]
				const session = player.id
				return identifier ? act("segment", { session, id: identifier }) : act("seek", { session, position: timeRange.start })
			},
			repeat: (mode) => control(player, "change-repeat-mode", { mode }),
			shuffle: (mode) => control(player, "change-shuffle-mode", { mode }),
		}
		for (const [name, choose] of Object.entries(choices)) choices[name] = new Choice(choose)
		const backdrop = h("img.backdrop", { alt: "", hidden: true, "aria-hidden": "true" })
		const art = new Artwork(backdrop)
		const title = h("h3.player-title")
		const subtitle = h("p.player-subtitle")
		const note = h("p.player-note", { role: "status" })
		const position = new PositionSlider()
		position.seek = (place) => (player.media ? control(player, "seek-to-position", { number: place }) : act("seek", { session: player.id, position: place }))
		const playButton = iconButton("play", t.player.play, () => toggle(player), { class: "round big" })
		const level = new LevelSlider()
		const feedback = h("div.feedback")
		const whereText = h("span.where-name")
		const where = h("button.where", { click: () => openWhere(player.key) }, icon("where"), h("span.texts", null, h("small", null, t.player.where), whereText), icon("right"))
		const card = h(
			"div.player-card",
			null,
			backdrop,
			h("div.player-top", null, art, title, subtitle, note),
			position,
			h(
				"div.transport",
				{ role: "group", "aria-label": t.player.title },
				button("previous", "previous", t.player.previous),
				holdButton("seek-backward", "back", t.player.rewind),
				button("skip-backward", "back", ""),
				playButton,
				button("skip-forward", "forward", ""),
				holdButton("seek-forward", "forward", t.player.fastForward),
				button("next", "next", t.player.next),
			),
			level,
			h("div.place-line", null, where, button("stop", "stop", t.player.stop)),
			h("div.choices", null, ...Object.values(choices), feedback),
		)
		const also = h("div", { role: "list" })
		const alsoBlock = h("section.also", { hidden: true, "aria-labelledby": "also" }, h("h3", { id: "also" }, t.player.also), also)
		const empty = h("div.player-empty", null, icon("note"), h("h3", null, t.empty.playing), h("p", null, t.empty.playingText), h("p.faint.pointer-only", null, t.empty.dropText))
		this.append(empty, card, alsoBlock)

		const updateTransport = (isEnabled) => {
			for (const [kind, button] of Object.entries(buttons)) {
				const offered = player.controls[kind]
				// Where there are steps of some seconds, winding isn't needed.
				const isSpare = kind.startsWith("seek-") && player.controls[kind.replace("seek-", "skip-")]
				show(button, Boolean(offered) && !isSpare)
				button.disabled = !isEnabled || !offered?.isEnabled
				if (!offered || !kind.startsWith("skip-")) continue
				const sign = kind === "skip-forward" ? "forward" : "back"
				const seconds = offered.numbers?.[0] ?? 10
				setIconButton(button, sign, t.player[sign](seconds))
				button.dataset.seconds = seconds
			}
			updateToggle(playButton, player)
		}

		const updateChoices = (isEnabled) => {
			const put = (name, isOffered, choice) => choices[name].update(isOffered && { label: t.player[name], sign: name, isEnabled, ...choice() })
			const { speed, speeds, chapters } = player
			put("speed", speed !== null, () => ({
				options: [...new Set([...speeds, speed])].sort((one, other) => one - other).map((value) => [String(value), t.player.speedValue(value)]),
				current: String(speed),
				isEnabled: isEnabled && player.canChangeSpeed !== false && !player.isLive,
			}))
			for (const [name, sign, none] of [["audio", "audio", []], ["description", "described", [["", t.off]]], ["subtitles", "subtitles", [["", t.off]]]]) {
				const { options, current = "" } = player[name]
				put(name, options.length > (none.length ? 0 : 1), () => ({
					sign,
					options: [...none, ...options.map((option) => [option.identifier, option.name || languageName(option.language)])],
					current,
					text: current ? undefined : t.player[name],
				}))
			}
			const index = chapters.findIndex(({ timeRange }) => timeRange.start === player.currentChapter?.timeRange.start)
			const chapter = (number) => t.player.segment[chapters[number].type] ?? t.player.chapter(number + 1)
			put("chapters", chapters.length > 1, () => ({
				options: chapters.map(({ timeRange }, number) => [String(number), `${chapter(number)} · ${clockTime(timeRange.start - player.start)}`]),
				current: String(index),
				text: index < 0 ? undefined : chapter(index),
				isEnabled: isEnabled && player.canSeek,
			}))
			for (const name of ["repeat", "shuffle"]) {
				const offered = player.controls[`change-${name}-mode`]
				put(name, offered, () => ({
					options: (offered.modes ?? []).map((mode) => [mode, words(mode)]),
					current: offered.current ?? "",
					text: offered.current === "off" ? t.player[name] : undefined,
					isEnabled: isEnabled && offered.isEnabled,
				}))
			}
		}

		const updateFeedback = (offered, isEnabled) => {
			const modes = (offered?.modes ?? []).filter((mode) => t.player.feedback[mode])
			show(feedback, modes.length > 0)
			keyed(feedback, modes, () =>
				modes.map((mode) =>
					iconButton(mode, t.player.feedback[mode], () => {
						const { current, modes } = player.controls.feedback
						const none = modes.find((each) => ["none", "unrate"].includes(each))
						control(player, "feedback", { mode: (current === mode && none) || mode })
					}),
				),
			)
			modes.forEach((mode, index) => {
				const button = feedback.children[index]
				setAttribute(button, "aria-pressed", String(offered.current === mode))
				button.disabled = !isEnabled || !offered.isEnabled
			})
		}

		const updateLevel = () => {
			const leading = state.devices[player.devices[0]]
			if (player.media) {
				show(level, player.volume !== null)
				level.send = (value) => act("media-volume", { session: player.id, level: value })
				return level.update({ name: player.title, level: player.volume, isEnabled: can("control") })
			}
			show(level, Boolean(leading) && leading.volumeControl !== "none")
			if (!leading) return
			if (player.devices.length > 1) return level.updateGroup(leading)
			level.bind(leading.id)
			level.updateDevice(leading)
		}

		/** Shows one of what plays, `null` for nothing, and below it the others; `choose` shows one of them. */
		this.update = (next, others, choose) => {
			player = next
			show(empty, !player)
			show(card, Boolean(player))
			show(alsoBlock, others.length > 0)
			alsoRows = new Map(others.map((other) => [other.key, alsoRows.get(other.key) ?? new PlayerLine(choose)]))
			arrange(also, [...alsoRows.values()])
			for (const other of others) alsoRows.get(other.key).update(other)
			if (!player) return
			const isEnabled = can("control") && !player.isReconnecting
			art.update(player)
			setText(title, player.title)
			setLine(subtitle, [player.subtitle, player.collection].filter(Boolean).join(" · "))
			const notes = { isReconnecting: "reconnecting", isStarting: "starting", isBuffering: "loading", isInterrupted: "interrupted" }
			const what = Object.keys(notes).find((name) => player[name])
			setLine(note, what ? t.player[notes[what]] : player.error?.message)
			card.classList.toggle("is-busy", Boolean(player.isBuffering || player.isStarting || player.isReconnecting))
			card.classList.toggle("is-playing", player.isPlaying)
			show(position, player.duration > 0 || player.hasPosition !== false)
			position.update(player, isEnabled)
			updateTransport(isEnabled)
			updateChoices(isEnabled)
			updateFeedback(player.controls.feedback, isEnabled)
			updateLevel()
			setText(whereText, placeOf(player))
			setAttribute(where, "aria-label", `${t.player.where} ${placeOf(player)}. ${t.player.change}`)
		}
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

class PlayerLine extends HTMLElement {
	constructor(open) {
		super()
		let player
		const art = new Artwork()
		const title = h("span.name")
		const place = h("span.status")
		const button = iconButton("pause", "", () => toggle(player))
		this.main = h("button.device-main", { click: () => open(player.key) }, art, h("span.texts", null, title, place))
		this.setAttribute("role", "listitem")
		this.append(this.main, button)
		this.update = (next) => {
			player = next
			art.update(player)
			setText(title, player.title)
			setText(place, placeOf(player))
			updateToggle(button, player, `: ${player.title}`)
		}
	}
}
customElements.define("md-line", PlayerLine)

/** On a phone, what plays in a bar at the bottom; it opens the player. */
export class Dock extends HTMLElement {
	constructor(open) {
		super()
		let timer = 0
		const line = new PlayerLine(open)
		const progress = h("i.progress-line", { "aria-hidden": "true" })
		line.removeAttribute("role")
		this.append(line, progress)
		this.focusPlayer = () => line.main.focus()
		this.update = (player) => {
			show(this, Boolean(player))
			clearInterval(timer)
			if (!player) return
			line.update(player)
			setAttribute(line.main, "aria-label", `${player.title}. ${t.player.open}`)
			const draw = () => setVariable(progress, "--fill", String(player.duration ? Math.min(1, (player.position() - player.start) / player.duration) : 0))
			draw()
			if (player.rate) timer = setInterval(() => document.hidden || draw(), 1000)
		}
	}
}
customElements.define("md-dock", Dock)
