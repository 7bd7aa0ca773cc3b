// What the page shows, made from what the host reports.

import { hostTime, state } from "./store.js"
import { t } from "./strings.js"

const plain = (text) => text.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(9, 0))

// A collator takes the browser as long as all rows. Most names need none.
let collator
function byName(...names) {
	if (/[^ -~]/.test(names)) return (collator ??= new Intl.Collator([], { numeric: true, sensitivity: "base" })).compare(...names)
	const [one, other] = names.map(plain)
	return one < other ? -1 : one > other ? 1 : 0
}

/** The identifier of a device in an object path. */
const deviceID = (path) => path.slice(path.lastIndexOf("/") + 1).replaceAll("_", "-").toUpperCase()

export const nameOf = (id) => state.devices[id]?.name ?? t.enter.aDevice

// MARK: devices

const screens = ["tv", "media-stick", "tv-and-mediabox", "tv-and-speaker"]
const computers = ["laptop", "desktop"]

export const section = (device) =>
	isAway(device) ? "away" : screens.includes(device.type) ? "screens" : computers.includes(device.type) ? "computers" : "speakers"

export const sections = ["speakers", "screens", "computers", "away"]

/** A device that is in use stays where it is while it is looked for. */
export const isAway = (device) => device.availability === "remembered" && device.activation === "idle"

export const isReachable = (device) => ["ready", "checking"].includes(device.availability)

const icons = { tv: "tv", "media-stick": "stick", laptop: "laptop", desktop: "desktop", "tv-and-mediabox": "tvbox", "tv-and-speaker": "tvbox", "speaker-pair": "speakers", phone: "phone", tablet: "phone" }
export const deviceIcon = (device) => icons[device.type] ?? "speaker"

export function ways(device) {
	const names = (device.parts ?? []).filter((part) => part.availability !== "absent").map((part) => part.protocolName)
	return [...new Set(names)].join(", ") || device.protocolName
}

export const devicesOf = (session) =>
	(session.devices?.length ? session.devices : [session.device]).filter(Boolean).map(deviceID)

const isOver = (session) => session.state === "ended" || session.state === "failed"

export function status(device, player = sessionPlayerOn(device.id)) {
	const words = t.devices
	if (device.availability === "unreachable") return { text: words.unreachable, tone: "warn" }
	if (device.activation === "awaiting-code") return { text: words.awaitingCode, tone: "attention" }
	if (device.activation === "activating") return { text: words.activating, tone: "busy" }
	if (device.activation === "reconnecting") return { text: words.reconnecting, tone: "busy" }
	if (player) {
		if (player.isStarting) return { text: t.player.starting, tone: "busy" }
		if (player.isBuffering) return { text: words.buffering(player.title), tone: "playing" }
		if (player.isPlaying) return { text: player.title, tone: "playing" }
		return { text: words.paused(player.title), tone: "used" }
	}
	if (device.availability === "remembered") return { text: words.remembered, tone: "away" }
	if (device.playingApplicationName) return { text: words.usedBy(device.playingApplicationName), tone: "used" }
	const routed = state.routes[device.id]?.map(applicationName)
	if (routed?.length) return { text: words.usedBy(routed.join(", ")), tone: "used" }
	if (device.availability === "checking") return { text: t.checking, tone: "busy" }
	if (device.activation === "active") return { text: words.active, tone: "used" }
	return { text: ways(device), tone: "ready" }
}

export const applicationName = (identifier) =>
	state.applications.find((application) => application.identifier === identifier)?.name ?? identifier

export function sortedDevices(ids = Object.keys(state.devices)) {
	return ids
		.map((id) => state.devices[id])
		.filter(Boolean)
		.sort((one, other) => byName(one.name, other.name) || (one.id < other.id ? -1 : 1))
}

export const canPlay = ({ capabilities }) => capabilities.includes("url-playback") || capabilities.includes("realtime-audio")

export const canJoin = (device, other) =>
	device.id !== other.id &&
	device.canGroup &&
	other.canGroup &&
	device.extension === other.extension &&
	device.volumeControl === other.volumeControl

export const groupOf = (device) => (device.group?.length ? device.group : [device.id])

// MARK: playback

/** What plays: playback on devices, and media sessions of apps. The primary is first, then what plays. */
export function players() {
	const sessions = Object.values(state.sessions).filter((session) => !isOver(session))
	const media = Object.values(state.media).filter(({ kind, state }) => kind !== "route" && state?.content)
	const list = [...sessions.map(sessionPlayer), ...media.map(mediaPlayer)]
	const rank = (player) => (player.isPrimary ? 0 : player.isPlaying ? 1 : 2)
	return list.sort((one, other) => rank(one) - rank(other) || byName(one.title, other.title))
}

export function sessionPlayerOn(id) {
	const session = Object.values(state.sessions).find((session) => !isOver(session) && devicesOf(session).includes(id))
	return session ? sessionPlayer(session) : null
}

const primaryID = () => state.nowPlaying?.systemPrimary?.split("/").pop() ?? null

function hash(text) {
	let value = 0
	for (let index = 0; index < text.length; index++) value = (value * 31 + text.charCodeAt(index)) | 0
	return (value >>> 0).toString(36)
}

const artwork = (kind, id, name) => (name ? `/api/artwork/${kind}/${encodeURIComponent(id)}?key=${hash(name)}` : null)

function fileName(source) {
	try {
		const last = decodeURIComponent(new URL(source).pathname.split("/").pop())
		return last.replace(/\.[a-z0-9]{2,4}$/i, "")
	} catch {
		return ""
	}
}

const noOptions = { options: [] }
const nothing = { start: 0, audio: noOptions, description: noOptions, subtitles: noOptions, chapters: [], places: [] }

function sessionPlayer(session) {
	const playback = session.playback ?? {}
	const media = state.media[`route${session.id}`]
	const ids = devicesOf(session)
	const leading = state.devices[ids[0]]
	const { start = 0, duration: length } = playback.timeRange ?? {}
	const duration = Number.isFinite(length) ? length : 0
	const unsupported = playback.unsupported ?? []
	const art = session.artworkURL || playback.artwork?.[0]?.url
	const canSeek =
		Boolean(playback.seekCapabilities & 4) && playback.seekableRanges?.length !== 0 && duration > 0 && session.state === "active"
	const place = playback.position ?? { value: 0, hostTime: 0, rate: 0 }
	return {
		...nothing,
		key: `session:${session.id}`,
		session,
		id: session.id,
		isPrimary: primaryID() === `route${session.id}`,
		title: session.title || playback.title || fileName(session.source) || leading?.name || t.player.untitled,
		subtitle: session.subtitle || playback.subtitle || "",
		collection: media?.state?.content?.collection ?? "",
		// The host has it with the media session, which comes a little later.
		art: artwork("session", session.id, media?.state?.content && art),
		isVideo: Boolean(playback.presentationWidth),
		isStarting: session.state === "starting",
		isReconnecting: session.state === "reconnecting",
		isPlaying: Boolean(playback.isPlaying) && session.state !== "starting",
		isBuffering: Boolean(playback.isBuffering) && session.state === "active",
		isLive: Boolean(playback.isLive),
		start,
		duration,
		rate: place.rate,
		position: () => positionNow(place, place.rate, start, duration),
		canSeek,
		controls: sessionControls(session, canSeek),
		speed: unsupported.includes("playback-speed") ? null : playback.playbackSpeed ?? 1,
		speeds: [0.5, 0.75, 1, 1.25, 1.5, 2],
		audio: { options: playback.audioOptions ?? [], current: playback.currentAudioOption },
		description: { options: playback.audioDescriptionOptions ?? [], current: playback.currentAudioDescriptionOption },
		subtitles: { options: playback.legibleOptions ?? [], current: playback.currentLegibleOption },
		chapters: (playback.segments?.length ?? 0) > 1 ? playback.segments : [],
		currentChapter: playback.currentSegment ?? null,
		devices: ids,
		where: ids.map(nameOf),
		error: session.error,
	}
}

function sessionControls(session, canSeek) {
	const started = { isEnabled: session.state !== "starting" }
	const skip = (seconds) => (canSeek ? { isEnabled: true, numbers: [seconds] } : undefined)
	return { play: started, pause: started, stop: { isEnabled: true }, "skip-backward": skip(10), "skip-forward": skip(30) }
}

// By itself since the host reported it, and never beyond the end.
function positionNow({ value, hostTime: since }, rate, start, duration) {
	const moved = value + rate * Math.max(0, hostTime() - since)
	return Math.max(start, duration > 0 ? Math.min(start + duration, moved) : moved)
}

function mediaPlayer(media) {
	const { content, playback, controls = [], devices = [] } = media.state
	const offered = Object.fromEntries(controls.map((control) => [control.kind, control]))
	const place = playback?.position ?? null
	const isPlaying = playback?.state === "playing" || playback?.state === "buffering"
	const rate = playback?.state === "playing" ? playback.rate ?? 1 : 0
	const duration = content.extent === "live" ? 0 : content.duration ?? 0
	const either = (name) => offered[name] ?? offered["toggle-play-pause"]
	const routed = Object.entries(state.routes).filter(([, apps]) => apps.includes(media.application))
	const where = devices.length ? devices.map((device) => device.name) : routed.map(([id]) => nameOf(id))
	const seek = offered["seek-to-position"]
	const rates = offered["change-playback-rate"]
	return {
		...nothing,
		key: `media:${media.id}`,
		media,
		id: media.id,
		isPrimary: media.isSystemPrimary || primaryID() === media.id,
		title: content.title || media.name || t.player.untitled,
		subtitle: content.subtitle ?? "",
		collection: content.collection ?? "",
		art: artwork("media", media.id, content.artworkID || content.artworkURL),
		isVideo: Boolean(content.isVideo),
		isInterrupted: playback?.state === "interrupted",
		isPlaying,
		isBuffering: playback?.state === "buffering",
		isLive: content.extent === "live",
		duration,
		rate,
		position: () => (place ? positionNow(place, rate, 0, duration) : 0),
		hasPosition: place !== null,
		canSeek: Boolean(seek?.isEnabled) && duration > 0,
		controls: { ...offered, play: either("play"), pause: either("pause") },
		speed: rates ? playback?.defaultRate ?? 1 : null,
		speeds: rates?.numbers ?? [],
		canChangeSpeed: rates?.isEnabled ?? false,
		devices: routed.map(([id]) => id),
		where,
		places: devices,
		application: media.application,
		applicationName: media.name,
		volume: media.volume ?? null,
		error: media.lastError,
	}
}
