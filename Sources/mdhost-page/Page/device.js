// One device: what it does, how it is reached, and everything that can be done with it.

import { perform } from "./api.js"
import { action, drawIcon, h, icon, prose, setAttribute, setText, show, submitButton, textButton } from "./dom.js"
import { deviceIcon, groupOf, isAway, nameOf, canPlay, sessionPlayerOn, sortedDevices, status } from "./model.js"
import { openPlay, send } from "./play.js"
import { confirmSheet, field, openSheet, row, section, toggle } from "./sheet.js"
import { LevelSlider } from "./slider.js"
import { can, hasRole, state } from "./store.js"
import { t } from "./strings.js"
import { act, attempt, say } from "./toasts.js"
import { openWhere } from "./where.js"

export function openDevice(id) {
	openSheet({
		title: nameOf(id),
		className: "device-sheet",
		build(body, sheet) {
			const badge = h("span.badge", null, icon("speaker"))
			const line = h("p.status-line", { role: "status" })
			const head = h("div.device-head", null, badge, line)
			const finding = h("div.notice", { hidden: true })
			const level = new LevelSlider()
			level.bind(id)
			const fixed = h("p.faint", null, t.volume.fixed)

			const playButton = action("play", t.device.play, () => openPlay(id), "primary")
			const pairButton = action("key", "", () => pair())
			const whereButton = action("where", t.player.change, () => openWhere(sessionPlayerOn(id).key))
			const stopButton = action("stop", t.player.stop, () => act("stop", { session: sessionPlayerOn(id).id }))
			const actions = h("div.actions.wrap", null, playButton, whereButton, stopButton, pairButton)

			let isPairing = false
			const pair = async () => {
				isPairing = true
				update()
				const { done } = await act("pair", { device: id })
				isPairing = false
				if (done) say(t.device.paired(nameOf(id)))
				update()
			}

			const apps = h("div.rows")
			const appsBlock = section(t.device.apps, h("p.faint", null, t.device.appsText), apps)
			const parts = h("div.rows", { role: "list" })
			const splitButton = textButton(t.device.split, async () => {
				const { done, value } = await act("split", { device: id })
				if (done) say(t.device.splitDone(value?.devices?.length ?? 2))
			})
			const partsBlock = section(t.device.parts, parts, h("div.actions", null, splitButton))
			const facts = h("dl.facts")
			const sink = toggle(t.device.sink, t.device.sinkText, async (on) => (await act("sink", { device: id, on })).done)
			const manage = h(
				"div.actions.wrap",
				null,
				action("pencil", t.device.rename, () => rename(id)),
				action("merge", t.device.merge, () => merge(id)),
				action("trash", t.device.forget, () => forget(id, sheet), "danger"),
			)
			const removeButton = action("close", t.device.remove, () => {
				const address = state.devices[id].addedAs
				act("remove", { address }).then(({ done }) => done && say(t.device.removed(address)))
			})
			manage.append(removeButton)
			const manageBlock = section(t.device.manage, sink.element, manage)
			body.append(head, finding, level, fixed, actions, appsBlock, partsBlock, section(t.device.details, facts), manageBlock)

			body.addEventListener("dragover", (event) => can("control") && event.dataTransfer.types.includes("Files") && event.preventDefault())
			body.addEventListener("drop", (event) => {
				const file = event.dataTransfer.files[0]
				if (!file || !can("control")) return
				event.preventDefault()
				event.stopPropagation()
				send(id, file)
			})

			const update = () => {
				const device = state.devices[id]
				if (!device) return false
				const player = sessionPlayerOn(id)
				const { text, tone } = status(device, player)
				sheet.setTitle(device.name)
				drawIcon(badge.firstElementChild, deviceIcon(device))
				badge.classList.toggle("on", tone === "playing")
				head.dataset.tone = tone
				setText(line, text)
				showFinding(finding, device)
				const isThere = device.availability !== "unreachable" && !isAway(device)
				show(level, device.volumeControl !== "none" && isThere)
				show(fixed, device.volumeControl === "none" && isThere)
				level.updateDevice(device)
				show(playButton, canPlay(device))
				playButton.disabled = !can("control")
				playButton.classList.toggle("primary", !player)
				show(whereButton, Boolean(player))
				show(stopButton, Boolean(player))
				stopButton.disabled = !can("control")
				show(pairButton, !device.isPaired && !player && isThere)
				pairButton.disabled = !can("control") || isPairing
				setText(pairButton.lastElementChild, isPairing ? t.device.pairing : t.device.pair)
				updateApps(apps, appsBlock, device)
				updateParts(parts, partsBlock, splitButton, device)
				updateFacts(facts, device)
				show(manageBlock, hasRole("administrate"))
				for (const element of manage.children) element.disabled = !can("administrate")
				show(removeButton, Boolean(device.addedAs))
				const takesSound = device.capabilities.includes("realtime-audio") || Boolean(state.sinks[id])
				show(sink.element, takesSound)
				if (!sink.input.matches(":disabled")) sink.input.checked = Boolean(state.sinks[id])
			}
			return update
		},
	})
}

// Why it isn't there, and what helps; or what went wrong last.
function showFinding(element, device) {
	const isMissing = device.availability === "unreachable" || device.availability === "remembered"
	const finding = device.finding ?? (isMissing ? { message: t.device.whyUnknown } : device.lastError)
	const key = finding ? `${finding.message} ${finding.remedy ?? ""}` : ""
	show(element, Boolean(finding))
	if (!finding || element.dataset.key === key) return
	element.dataset.key = key
	element.replaceChildren(
		icon("warning"),
		h(
			"div",
			null,
			h("h3", null, isMissing ? t.device.why : t.device.lastError),
			h("p", null, ...prose(finding.message)),
			finding.remedy ? h("p.remedy", null, ...prose(finding.remedy)) : null,
		),
	)
}

function updateApps(rows, block, device) {
	const fits = state.applications.filter(
		(app) => !app.protocols?.length || app.protocols.includes(device.protocol) || device.parts?.some((part) => app.protocols.includes(part.protocol)),
	)
	show(block, fits.length > 0)
	const routed = state.routes[device.id] ?? []
	const key = JSON.stringify([fits.map((app) => app.identifier)])
	if (rows.dataset.key !== key) {
		rows.dataset.key = key
		rows.replaceChildren(
			...fits.map((app) => {
				const row = toggle(app.name, "", async (on) => (await attempt(() => perform(on ? "route" : "unroute", { device: device.id, application: app.identifier }))).done)
				row.element.dataset.app = app.identifier
				return row.element
			}),
		)
	}
	for (const row of rows.children) {
		const input = row.querySelector("input")
		if (!input.disabled || !can("control")) input.checked = routed.includes(row.dataset.app)
		setAttribute(input, "aria-disabled", can("control") ? null : "true")
	}
}

function updateParts(rows, block, splitButton, device) {
	const list = device.parts ?? []
	show(block, list.length > 0)
	const key = JSON.stringify(list)
	if (rows.dataset.key !== key) {
		rows.dataset.key = key
		rows.replaceChildren(
			...list.map((part) =>
				row(null, part.protocolName, [part.name, part.endpoints[0]], h(part.isCurrent ? "span.tag.good" : "span.tag", null, part.isCurrent ? t.device.inUseNext : t.devices[part.availability] ?? part.availability)),
			),
		)
	}
	show(splitButton, hasRole("administrate"))
	splitButton.disabled = !can("administrate")
}

function updateFacts(list, device) {
	const words = t.device.facts
	const others = groupOf(device).filter((id) => id !== device.id)
	const facts = [
		[words.type, t.devices.type[device.type] ?? device.type],
		[words.protocol, device.protocolName],
		[words.address, device.endpoints.join("\n")],
		[words.plays, device.capabilities.map((each) => t.device.capability[each] ?? each).join(", ")],
		[words.group, others.map(nameOf).join(", ")],
		[words.signal, device.signalStrength != null && t.devices.signal(device.signalStrength)],
		[words.battery, device.batteryLevel != null && `${device.batteryLevel} %`],
		[words.ownName, device.deviceName !== device.name && device.deviceName],
		[words.added, device.addedAs],
		[words.id, device.id],
	].filter(([, value]) => value)
	const key = JSON.stringify(facts)
	if (list.dataset.key === key) return
	list.dataset.key = key
	list.replaceChildren(...facts.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))))
}

function rename(id) {
	const device = state.devices[id]
	openSheet({
		title: t.device.rename,
		className: "small",
		build(body, sheet) {
			const name = field(t.device.renameLabel, { value: device.name, placeholder: device.deviceName, maxlength: 200, autofocus: true, autocapitalize: "words" }, t.device.renameHint(device.deviceName))
			const save = submitButton(t.save)
			const form = h("form", null, name.element, h("div.actions", null, textButton(t.cancel, () => sheet.close()), save))
			form.addEventListener("submit", async (event) => {
				event.preventDefault()
				save.disabled = true
				const { done } = await act("rename", { device: id, name: name.input.value.trim() })
				save.disabled = false
				if (done) sheet.close()
			})
			body.append(form)
			name.input.select()
			return () => Boolean(state.devices[id])
		},
	})
}

async function forget(id, sheet) {
	const name = nameOf(id)
	if (!(await confirmSheet({ title: t.device.forgetTitle(name), text: t.device.forgetText, action: t.device.forget }))) return
	const { done } = await act("forget", { device: id })
	if (!done) return
	sheet.close()
	say(t.device.forgotten(name))
}

function merge(id) {
	openSheet({
		title: t.device.mergeTitle(nameOf(id)),
		build(body, sheet) {
			const list = h("div.rows", { role: "group", "aria-label": t.device.mergeTitle(nameOf(id)) })
			const boxes = sortedDevices()
				.filter((device) => device.id !== id)
				.map((device) => {
					const box = h("input", { type: "checkbox", class: "check", value: device.id })
					box.addEventListener("change", () => (go.disabled = !boxes.some((each) => each.checked)))
					list.append(
						h("label.row", null, icon(deviceIcon(device)), h("span.row-text", null, h("span", null, device.name), h("small", null, [device.protocolName, device.endpoints[0]].filter(Boolean).join(" · "))), box),
					)
					return box
				})
			const go = textButton(
				t.device.mergeAction,
				async () => {
					go.disabled = true
					const devices = [id, ...boxes.filter((box) => box.checked).map((box) => box.value)]
					const { done } = await act("merge", { devices })
					go.disabled = false
					if (!done) return
					say(t.device.merged)
					sheet.close()
				},
				{ class: "button primary", disabled: true },
			)
			body.append(h("p", null, t.device.mergeText), list, h("div.actions.sticky", null, textButton(t.cancel, () => sheet.close()), go))
		},
	})
}

export function openAdd() {
	openSheet({
		title: t.add.title,
		className: "small",
		build(body, sheet) {
			const address = field(t.add.label, { autofocus: true, required: true, inputmode: "url", enterkeyhint: "go", maxlength: 300 }, t.add.hint)
			const go = submitButton(t.add.action)
			const note = h("p.faint", { role: "status" })
			const form = h("form", null, h("p", null, t.add.text), address.element, note, h("div.actions", null, textButton(t.cancel, () => sheet.close()), go))
			form.addEventListener("submit", async (event) => {
				event.preventDefault()
				go.disabled = true
				setText(note, t.add.asking)
				const { done, value } = await act("add", { address: address.input.value.trim() })
				go.disabled = false
				setText(note, "")
				if (!done) return address.input.focus()
				sheet.close()
				say(t.add.added(value.devices?.length ?? 1))
			})
			body.append(form)
		},
	})
}
