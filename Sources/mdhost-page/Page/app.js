// The page: its head, the devices, what plays, and the settings.

import { DeviceList } from "./devices.js"
import { arrange, h, icon, iconButton, prose, setAttribute, setText, show } from "./dom.js"
import { players } from "./model.js"
import { Dock, Player } from "./player.js"
import { openSheet } from "./sheet.js"
import { can, connect, hasRole, reconnect, state, watch } from "./store.js"
import { language, t } from "./strings.js"
import { attempt, placeToasts, say, sayError } from "./toasts.js"

document.documentElement.lang = language

const isWide = matchMedia("(min-width: 900px)")

// MARK: head

const connection = h("p.connection", { role: "status" })
const role = h("span.tag", { hidden: true }, t.settings.role.look)
// What most visits never show is loaded when it is needed.
const addButton = iconButton("plus", t.settings.add, () => attempt(async () => (await import("./device.js")).openAdd()))
const settingsButton = iconButton("gear", t.settings.title, () => (location.hash = "#settings"))
const backButton = iconButton("left", t.back, () => (location.hash = ""), { hidden: true })
const title = h("h1", { tabindex: -1 }, t.appName)
const head = h("header.top", null, h("div.top-inner", null, backButton, h("span.mark", null, icon("where")), title, role, addButton, settingsButton))

// MARK: body

const list = new DeviceList()
const player = new Player()
const dock = new Dock(openPlayer)
let settings = null
let entrance = null
const aside = h("aside.aside", { "aria-label": t.player.title })
const home = h("div.home", null, list, aside)
const main = h("main", { id: "main", tabindex: -1 })
const skip = h("a", { href: "#main", class: "skip", click: (event) => (event.preventDefault(), main.focus()) }, t.skip)

let chosen = null
let playerSheet = null

const choose = (key) => {
	chosen = key
	updatePlayers()
}

function updatePlayers() {
	const all = players()
	const current = all.find((each) => each.key === chosen) ?? all[0] ?? null
	if (chosen && !all.some((each) => each.key === chosen)) chosen = null
	const others = all.filter((each) => each.key !== current?.key)
	player.update(current, others, choose)
	dock.update(isWide.matches || view !== "home" ? null : current)
	document.body.classList.toggle("has-dock", !dock.hidden)
	if (!current) playerSheet?.close()
	const { picker } = state
	document.title = picker ? t.picker.title(picker.name || picker.application) : current?.isPlaying ? `${current.title} · ${t.appName}` : t.appName
}

function placePlayer() {
	if (isWide.matches) {
		playerSheet?.close()
		aside.append(player)
	} else if (!playerSheet) {
		player.remove()
	}
	updatePlayers()
}
isWide.addEventListener("change", placePlayer)

function openPlayer() {
	playerSheet = openSheet({
		title: t.player.title,
		className: "player-sheet",
		build: (body) => void body.append(player),
		closed: () => {
			playerSheet = null
			if (isWide.matches) aside.append(player)
			dock.focusPlayer()
		},
	})
}

// MARK: endings

const lastSeen = new Map()

// Only a session that the device ended says so.
function noticeEndings(change) {
	if (change.sessions === true) {
		lastSeen.clear()
		for (const each of players()) if (each.session) lastSeen.set(each.id, each)
		return
	}
	for (const id of change.sessions ?? []) {
		const session = state.sessions[id]
		const before = lastSeen.get(id)
		const now = players().find((each) => each.session?.id === id)
		lastSeen.delete(id)
		if (now) lastSeen.set(id, now)
		if (now || !before || !session) continue
		const place = before.where.join(" + ")
		if (session.state === "failed" && session.error && !before.isStarting) sayError({ message: `${place}: ${session.error.message}` })
		else if (session.ending === "interrupted") say(t.player.ended.interrupted(before.title, place))
		else if (session.ending === "finished") say(t.player.ended.finished(before.title))
	}
}

// MARK: views

const isOutside = () => ["outside", "revoked"].includes(state.connection)
let view = ""
let outsideReason = "none"

function showView() {
	const next = isOutside() ? "outside" : location.hash === "#settings" ? "settings" : "home"
	const before = view
	view = next
	document.body.dataset.view = next
	show(head, next !== "outside")
	show(backButton, next === "settings")
	show(settingsButton, next !== "settings")
	setText(title, next === "settings" ? t.settings.title : t.appName)
	if (before !== next) {
		arrange(main, next === "home" ? [home] : [])
		if (next === "home") list.update(null)
		else attempt(() => showLater(next))
		if (before && next !== "outside") {
			scrollTo(0, 0)
			if (next === "settings") title.focus()
			else if (before === "settings") settingsButton.focus()
		}
	}
	if (next === "settings") settings?.update()
}

async function showLater(name) {
	if (name === "settings") settings ??= new (await import("./settings.js")).Settings()
	else entrance ??= new (await import("./enter.js")).Entrance()
	if (view !== name) return
	arrange(main, [name === "settings" ? settings : entrance])
	if (name === "settings") settings.update()
	else entrance.update(outsideReason)
}

let pairing = null

async function updatePrompts() {
	if (!pairing && !Object.keys(state.prompts).length) return
	pairing ??= await import("./pairing.js")
	pairing.updatePrompts()
}

addEventListener("hashchange", () => {
	showView()
	updatePlayers()
})

function updateConnection() {
	const value = state.connection
	const isGone = value === "lost" || value === "offline"
	const text = isGone ? t.connection[value] + (value === "lost" ? ` ${t.connection.lostRemedy}` : "") : ""
	connection.replaceChildren(h("span.spinner", { "aria-hidden": "true" }), h("span", null, prose(text)))
	show(connection, isGone)
	document.body.classList.toggle("is-away", isGone)
	setAttribute(main, "aria-busy", value === "connecting" ? "true" : null)
	if (value === "online" && connection.dataset.was) say(t.connection.back)
	connection.dataset.was = isGone ? value : ""
	if (value === "revoked") outsideReason = "revoked"
}

watch((change) => {
	if (change.connection) updateConnection()
	showView()
	if (view === "outside") return
	show(role, state.isKnown && !hasRole("control"))
	show(addButton, view === "home" && hasRole("administrate"))
	addButton.disabled = !can("administrate")
	if (change.sessions) noticeEndings(change)
	if (view === "home") list.update(change)
	if (["sessions", "media", "devices", "nowPlaying", "connection", "role", "picker", "routes", "applications"].some((key) => change[key])) updatePlayers()
	if (change.prompts || change.connection || change.role) attempt(updatePrompts)
})

// A file that misses a device must not replace the page.
addEventListener("dragover", (event) => {
	if (!event.dataTransfer?.types.includes("Files")) return
	event.preventDefault()
	if (!event.defaultPrevented) event.dataTransfer.dropEffect = "none"
})
addEventListener("drop", (event) => {
	if (event.defaultPrevented && event.target.closest?.("md-device, dialog")) return
	event.preventDefault()
	if (event.dataTransfer?.files.length) say(t.error.dropOnDevice)
})

addEventListener("keydown", (event) => {
	const isTyping = event.target.closest?.("input:not([type=range], [type=checkbox]), select, textarea, dialog")
	if (event.key === "/" && !isTyping) {
		event.preventDefault()
		list.focusFilter()
	}
})

document.getElementById("app").replaceChildren(skip, head, connection, main, dock)
placeToasts()
updateConnection()
placePlayer()
showView()
list.update(null)

const entered = location.hash.startsWith("#enter=") ? await (await import("./enter.js")).enterByLink() : null
if (entered === false) outsideReason = "link"
await connect(entered)
if (entered) reconnect()
