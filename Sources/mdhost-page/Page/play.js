// Playing an address, or a file of this browser's computer.

import { upload } from "./api.js"
import { h, icon, submitButton, textButton } from "./dom.js"
import { groupOf, nameOf } from "./model.js"
import { field, openSheet } from "./sheet.js"
import { can, state } from "./store.js"
import { t } from "./strings.js"
import { act, attempt, say, sayProgress } from "./toasts.js"

const running = new Set()

async function send(id, file) {
	const bar = sayProgress(t.play.sending(file.name, nameOf(id)), t.play.stopSending(file.name), () => sending.cancel())
	const sending = upload(id, file, bar.set)
	running.add(sending)
	await attempt(() => sending.done)
	running.delete(sending)
	bar.remove()
}

// A file that is being sent ends with the page.
addEventListener("beforeunload", (event) => running.size && event.preventDefault())

export function takeFiles(element, id, taken) {
	const mark = (isOver) => element.classList.toggle("drop", isOver)
	const over = (event) => {
		if (!event.dataTransfer?.types.includes("Files") || !can("control")) return
		event.preventDefault()
		event.dataTransfer.dropEffect = "copy"
		mark(true)
	}
	element.addEventListener("dragenter", over)
	element.addEventListener("dragover", over)
	element.addEventListener("dragleave", (event) => element.contains(event.relatedTarget) || mark(false))
	element.addEventListener("drop", (event) => {
		mark(false)
		const [file] = event.dataTransfer.files
		if (!file || !can("control")) return
		event.preventDefault()
		event.stopPropagation()
		taken?.()
		send(id, file)
	})
}

export function openPlay(id) {
	const device = state.devices[id]
	openSheet({
		title: t.play.title(device.name),
		build(body, sheet) {
			const address = field(t.play.address, { type: "url", inputmode: "url", placeholder: t.play.addressHint, required: true, autofocus: true, enterkeyhint: "go" })
			const go = submitButton(t.play.action, icon("play"))
			const submit = async (event) => {
				event.preventDefault()
				const url = address.input.value.trim()
				sheet.close()
				const end = say(t.play.starting(device.name))
				await act("play", { device: id, url })
				end()
			}
			const change = () => {
				sheet.close()
				send(id, chooser.files[0])
			}
			const chooser = h("input.visually-hidden", { type: "file", tabindex: -1, "aria-hidden": "true", change })
			const others = groupOf(device).filter((other) => other !== id)
			const drop = h("div.drop-place", null, icon("upload"), textButton(t.play.file, () => chooser.click()), h("p.faint", null, t.play.fileText), chooser)
			takeFiles(drop, id, sheet.close)
			body.append(
				h("form.inline-form", { submit }, address.element, go),
				h("p.faint", { hidden: !others.length }, t.play.together(others.map(nameOf).join(", "))),
				drop,
			)
			return () => {
				go.disabled = !can("control")
				return Boolean(state.devices[id])
			}
		},
	})
}
