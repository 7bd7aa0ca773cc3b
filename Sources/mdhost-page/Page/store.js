// The state of the page: the host's, the connection, and the clock of the host.

import { clock, maps, merge, StateStream } from "./stream.js"

export const state = {
	connection: "connecting",
	role: "look",
	host: null,
	devices: {},
	sessions: {},
	media: {},
	extensions: {},
	sinks: {},
	routes: {},
	prompts: {},
	applications: [],
	browsers: [],
	picker: null,
	push: null,
	nowPlaying: { systemPrimary: null, pausesOthers: false },
	manager: { problems: [], settled: false },
	isKnown: false,
}

const watchers = new Set()

/** Calls back after each change, with the changed keys and, of maps, the changed identifiers. */
export function watch(callback) {
	watchers.add(callback)
	return () => watchers.delete(callback)
}

let pending = null
let lastTold = 0
let timer = 0

// At once if it was quiet, otherwise once in a frame's time: a thousand devices found together are one change.
function tell(change) {
	pending ??= {}
	for (const [key, value] of Object.entries(change)) {
		if (value instanceof Set) {
			if (pending[key] !== true) pending[key] = new Set([...(pending[key] ?? []), ...value])
		} else {
			pending[key] = true
		}
	}
	if (timer) return
	const wait = lastTold + 16 - performance.now()
	if (wait <= 0) flush()
	else timer = setTimeout(flush, wait)
}

function flush() {
	timer = 0
	const change = pending
	pending = null
	lastTold = performance.now()
	for (const watcher of watchers) {
		try {
			watcher(change)
		} catch (error) {
			console.error(error)
		}
	}
}

// MARK: the clock of the host

let offset = null

// Every message is late by its way here, never early: the largest difference is the truest, until a suspension moves
// the clocks apart.
function setClock(now, received) {
	if (typeof now !== "number") return
	const seen = now - received
	if (offset === null || seen > offset || offset - seen > 1) offset = seen
}

/** `CLOCK_MONOTONIC` of the host's computer, in seconds. */
export const hostTime = () => clock() + (offset ?? 0)

// MARK: messages

function receive(message) {
	if (message.type === "connection") {
		if (state.connection === message.value) return
		state.connection = message.value
		tell({ connection: true })
		return
	}
	setClock(message.data.now, message.received)
	const change = {}
	if (message.type === "snapshot") {
		for (const key of maps) state[key] = {}
		state.picker = null
		state.isKnown = true
		for (const key of Object.keys(state)) change[key] = true
	}
	const next = merge(state, message.data)
	for (const key of Object.keys(message.data)) {
		state[key] = next[key]
		if (!change[key]) change[key] = maps.includes(key) ? new Set(Object.keys(message.data[key] ?? {})) : true
	}
	tell(change)
}

let port = null
let own = null

/** Shows the state as it is, unless another one is about to begin, and follows it. */
export async function connect(isEntering) {
	try {
		const answer = isEntering || (await fetch("/api/state", { signal: AbortSignal.timeout(2000) }))
		if (answer.status === 200) {
			receive({ type: "snapshot", data: await answer.json(), received: clock() })
			receive({ type: "connection", value: "online" })
			// A worker's start would delay the first frame.
			await new Promise((resolve) => setTimeout(resolve, 30))
		}
	} catch {}
	try {
		const worker = new SharedWorker(new URL("stream-worker.js", import.meta.url), { type: "module", name: "mdhost" })
		port = worker.port
		worker.onerror = connectAlone
		port.onmessage = ({ data }) => {
			worker.onerror = null
			receive(data)
		}
		port.postMessage("hello")
		addEventListener("pagehide", () => port?.postMessage("bye"))
		addEventListener("pageshow", (event) => event.persisted && port?.postMessage("hello"))
	} catch {
		connectAlone()
	}
	document.addEventListener("visibilitychange", () => !document.hidden && hurry())
	addEventListener("online", hurry)
}

// Such as Chrome on Android, which long had no shared workers: a stream for each tab.
function connectAlone() {
	port = null
	own ??= new StateStream(receive)
	own.open()
}

export function reconnect() {
	if (port) port.postMessage("again")
	else own?.open()
}

function hurry() {
	if (port) port.postMessage("hurry")
	else own?.hurry()
}

export const leave = (value) => receive({ type: "connection", value })

// MARK: permissions

const ranks = { look: 0, control: 1, administrate: 2 }

export const can = (role) => state.connection === "online" && (ranks[state.role] ?? 0) >= ranks[role]
export const hasRole = (role) => (ranks[state.role] ?? 0) >= ranks[role]
