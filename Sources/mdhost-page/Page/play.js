// Playing something on a device: an address, or a file of this browser's computer.

import { perform, upload } from "./api.js"
import { h, icon, submitButton, textButton } from "./dom.js"
import { groupOf, nameOf } from "./model.js"
import { field, openSheet } from "./sheet.js"
import { can, state } from "./store.js"
import { t } from "./strings.js"
import { act, attempt, say, sayProgress } from "./toasts.js"

const running = new Set()

/** Plays a file on a device: it is sent as fast as the device reads it. */
export async function send(id, file) {
	const name = nameOf(id)
	const bar = sayProgress(t.play.sending(file.name, name), t.play.stopSending(file.name), () => sending.cancel())
	const sending = upload(id, file, (part) => bar.set(part))
	running.add(sending)
	await attempt(() => sending.done)
	running.delete(sending)
	bar.remove()
}

// A file that is being sent ends with the page.
addEventListener("beforeunload", (event) => {
	if (running.size) event.preventDefault()
})

export function openPlay(id) {
	const device = state.devices[id]
	openSheet({
		title: t.play.title(device.name),
		build(body, sheet) {
			const address = field(t.play.address, { type: "url", inputmode: "url", placeholder: t.play.addressHint, required: true, autofocus: true, enterkeyhint: "go" })
			const go = submitButton(t.play.action, icon("play"))
			const form = h("form.inline-form", null, address.element, go)
			form.addEventListener("submit", async (event) => {
				event.preventDefault()
				const url = address.input.value.trim()
				sheet.close()
				const end = say(t.play.starting(device.name))
				await act("play", { device: id, url })
				end()
			})
			const chooser = h("input", { type: "file", class: "visually-hidden", tabindex: -1, "aria-hidden": "true" })
			const take = (file) => {
				if (!file) return
				sheet.close()
				send(id, file)
			}
			chooser.addEventListener("change", () => take(chooser.files[0]))
			const drop = h(
				"div.drop-place",
				null,
				icon("upload"),
				textButton(t.play.file, () => chooser.click()),
				h("p.faint", null, t.play.fileText),
				chooser,
			)
			drop.addEventListener("dragover", (event) => {
				event.preventDefault()
				drop.classList.add("drop")
			})
			drop.addEventListener("dragleave", () => drop.classList.remove("drop"))
			drop.addEventListener("drop", (event) => {
				event.preventDefault()
				event.stopPropagation()
				take(event.dataTransfer.files[0])
			})
			const others = groupOf(device).filter((other) => other !== id)
			body.append(form)
			if (others.length) body.append(h("p.faint", null, t.play.together(others.map(nameOf).join(", "))))
			body.append(drop)
			return () => {
				go.disabled = !can("control")
				return Boolean(state.devices[id])
			}
		},
	})
}
