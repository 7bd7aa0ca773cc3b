// Messages: results, errors with what to do, and progress.

import { perform } from "./api.js"
import { h, icon, iconButton, prose } from "./dom.js"
import { t } from "./strings.js"

const status = h("div.toasts", { role: "status", "aria-live": "polite" })
const alerts = h("div.toasts", { role: "alert", "aria-live": "assertive" })
// A popover, shown again above dialogs whenever something is said.
const place = h("div.toast-place", { popover: "manual" }, alerts, status)

export function placeToasts() {
	document.body.append(place)
}

// A modal dialog makes everything else inert, so messages live in the topmost open one.
export function raise() {
	const open = [...document.querySelectorAll("dialog[open]")].pop() ?? document.body
	if (place.parentElement !== open) open.append(place)
	if (!place.showPopover) return
	if (place.matches(":popover-open")) place.hidePopover()
	if (status.childElementCount || alerts.childElementCount) place.showPopover()
}

function put(holder, toast, seconds) {
	// The same again is said once.
	for (const other of [...holder.children]) if (other.textContent === toast.textContent) other.remove()
	holder.append(toast)
	while (holder.childElementCount > 3) holder.firstElementChild.remove()
	raise()
	let timer = 0
	const remove = () => {
		clearTimeout(timer)
		if (!toast.isConnected) return
		toast.remove()
		raise()
	}
	const wait = () => seconds && (timer = setTimeout(remove, seconds * 1000))
	// A message stays while a person reads it.
	toast.addEventListener("pointerenter", () => clearTimeout(timer))
	toast.addEventListener("pointerleave", wait)
	toast.addEventListener("focusin", () => clearTimeout(timer))
	toast.addEventListener("focusout", wait)
	wait()
	return remove
}

const seconds = (text) => Math.min(12, 4 + text.length / 18)

export function say(text) {
	return put(status, h("div.toast", null, h("p", null, prose(text))), seconds(text))
}

export function sayError(error) {
	const remedy = error.remedy && h("p.remedy", null, prose(error.remedy))
	const toast = h("div.toast.error", null, icon("warning"), h("div", null, h("p", null, prose(error.message)), remedy))
	const remove = put(alerts, toast, seconds(error.message + (error.remedy ?? "")) + 4)
	toast.append(iconButton("close", t.error.dismiss, remove))
	return remove
}

/** Runs something, and says why if it fails. Returns whether it succeeded, and its answer. */
export async function attempt(body) {
	try {
		return { done: true, value: await body() }
	} catch (error) {
		if (error.code !== "cancelled") sayError(error)
		return { done: false }
	}
}

export const act = (name, body) => attempt(() => perform(name, body))

export function sayProgress(text, stopLabel, stop) {
	const bar = h("progress", { max: 1, value: 0, "aria-label": text })
	const note = h("small", null, t.play.waiting)
	const toast = h("div.toast.progress", null, icon("upload"), h("div", null, h("p", null, text), bar, note))
	toast.append(iconButton("close", stopLabel, stop))
	const remove = put(status, toast, 0)
	return {
		set(part) {
			bar.value = part
			note.textContent = t.play.sent(Math.round(part * 100))
		},
		remove,
	}
}
