// The state of the host as it arrives, in a shared worker or in the page itself.

export const maps = ["devices", "sessions", "media", "extensions", "sinks", "routes", "prompts"]

/** Seconds on a clock that the tabs of a browser and their worker share. */
export const clock = () => (performance.timeOrigin + performance.now()) / 1000

/** Returns the state after a change. Maps have only the changed entries, `null` for the removed. */
export function merge(state, change) {
	const next = { ...state }
	for (const [key, value] of Object.entries(change)) {
		if (!maps.includes(key)) {
			next[key] = value
			continue
		}
		const map = { ...(state[key] ?? {}) }
		for (const [id, entry] of Object.entries(value ?? {})) {
			if (entry === null) delete map[id]
			else map[id] = entry
		}
		next[key] = map
	}
	return next
}

export class StateStream {
	#emit
	#source
	#timer
	#delay = 0.5
	state = null
	received = 0
	connection = "connecting"

	constructor(emit) {
		this.#emit = emit
	}

	open() {
		clearTimeout(this.#timer)
		this.#source?.close()
		const source = new EventSource("/api/events")
		this.#source = source
		source.addEventListener("open", () => {
			this.#delay = 0.5
			// What was missed follows, or a snapshot, or nothing.
			if (this.connection === "lost") this.#connection(this.state?.online === false ? "offline" : "online")
		})
		source.addEventListener("snapshot", (event) => this.#take("snapshot", event))
		source.addEventListener("change", (event) => this.#take("change", event))
		source.addEventListener("offline", () => this.#connection("offline"))
		source.addEventListener("revoked", () => {
			this.close()
			this.#connection("revoked")
		})
		source.addEventListener("error", () => this.#failed(source))
	}

	close() {
		clearTimeout(this.#timer)
		this.#source?.close()
		this.#source = null
	}

	/** Tries at once, such as when a tab is shown again. */
	hurry() {
		if (this.#source?.readyState !== EventSource.OPEN) this.open()
	}

	#take(type, event) {
		const data = JSON.parse(event.data)
		this.received = clock()
		this.state = type === "snapshot" ? data : merge(this.state ?? {}, data)
		this.#emit({ type, data, received: this.received })
		if (type === "snapshot" || "online" in data || this.connection === "lost") this.#connection(data.online === false ? "offline" : "online")
	}

	#connection(value) {
		this.connection = value
		this.#emit({ type: "connection", value })
	}

	// A stream that broke off is taken up again by the browser, with the number of the last event. One that was refused
	// isn't; the browser doesn't say why, so the server is asked for the status.
	async #failed(source) {
		if (this.#source !== source) return
		if (source.readyState === EventSource.CONNECTING) return this.#connection("lost")
		source.close()
		this.#source = null
		const ask = new AbortController()
		const limit = setTimeout(() => ask.abort(), 3000)
		const { status } = await fetch("/api/events", { signal: ask.signal }).catch(() => ({ status: 0 }))
		ask.abort()
		clearTimeout(limit)
		if (this.#source) return
		if (status === 401 || status === 403) return this.#connection("outside")
		this.#connection("lost")
		if (status === 200) return this.open()
		this.#timer = setTimeout(() => this.open(), this.#delay * 1000)
		this.#delay = Math.min(5, this.#delay * 1.5)
	}
}
