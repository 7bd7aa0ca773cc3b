// One device: what it does, and everything that can be done with it.

import { action, drawIcon, h, icon, keyed, prose, setAttribute, setText, show, textButton } from "./dom.js"
import { canPlay, deviceIcon, groupOf, isAway, nameOf, sessionPlayerOn, sortedDevices, status } from "./model.js"
import { openPlay, takeFiles } from "./play.js"
import { askSheet, confirmSheet, field, openSheet, row, section, toggle } from "./sheet.js"
import { LevelSlider } from "./slider.js"
import { can, hasRole, state } from "./store.js"
import { t } from "./strings.js"
import { act, say } from "./toasts.js"
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
			const level = new LevelSlider(id)
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
			const removeButton = action("close", t.device.remove, () => {
				const address = state.devices[id].addedAs
				act("remove", { address }).then(({ done }) => done && say(t.device.removed(address)))
			})
			const manage = h(
				"div.actions.wrap",
				null,
				action("pencil", t.device.rename, () => rename(id)),
				action("merge", t.device.merge, () => merge(id)),
				action("trash", t.device.forget, () => forget(id, sheet), "danger"),
				removeButton,
			)
			const manageBlock = section(t.device.manage, sink.element, manage)
			body.append(head, finding, level, fixed, actions, appsBlock, partsBlock, section(t.device.details, facts), manageBlock)

			takeFiles(body, id)

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
				playButton.classList.toggle("primary", !player)
				show(whereButton, Boolean(player))
				show(stopButton, Boolean(player))
				show(pairButton, !device.isPaired && !player && isThere)
				playButton.disabled = stopButton.disabled = !can("control")
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

function showFinding(element, device) {
	const isMissing = device.availability === "unreachable" || device.availability === "remembered"
	const finding = device.finding ?? (isMissing ? { message: t.device.whyUnknown } : device.lastError)
	show(element, Boolean(finding))
	if (!finding) return
	keyed(element, [finding.message, finding.remedy, isMissing], () => [
		icon("warning"),
		h("div", null, h("h3", null, isMissing ? t.device.why : t.device.lastError), h("p", null, prose(finding.message)), finding.remedy && h("p.remedy", null, prose(finding.remedy))),
	])
}

function updateApps(rows, block, device) {
	const fits = state.applications.filter(
		({ protocols }) => !protocols?.length || [device, ...(device.parts ?? [])].some((each) => protocols.includes(each.protocol)),
	)
	show(block, fits.length > 0)
	keyed(rows, fits.map((app) => app.identifier), () =>
		fits.map(({ name, identifier }) => {
			const change = async (on) => (await act(on ? "route" : "unroute", { device: device.id, application: identifier })).done
			const { element, input } = toggle(name, "", change)
			input.value = identifier
			return element
		}),
	)
	for (const input of rows.querySelectorAll("input")) {
		if (!input.disabled || !can("control")) input.checked = state.routes[device.id]?.includes(input.value) ?? false
		setAttribute(input, "aria-disabled", can("control") ? null : "true")
	}
}

function updateParts(rows, block, splitButton, { parts = [] }) {
	show(block, parts.length > 0)
	keyed(rows, parts, () =>
		parts.map(({ protocolName, name, endpoints, isCurrent, availability }) => {
			const text = isCurrent ? t.device.inUse : t.devices[availability] ?? t[availability] ?? availability
			return row(null, protocolName, [name, endpoints[0]], h(isCurrent ? "span.tag.good" : "span.tag", null, text))
		}),
	)
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
	keyed(list, facts, () => facts.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))))
}

function rename(id) {
	const device = state.devices[id]
	const properties = { value: device.name, placeholder: device.deviceName, maxlength: 200, autofocus: true, autocapitalize: "words" }
	const input = field(t.device.renameLabel, properties, t.device.renameHint(device.deviceName))
	askSheet({
		title: t.device.rename,
		input,
		action: t.save,
		submit: async (name) => (await act("rename", { device: id, name })).done,
		alive: () => Boolean(state.devices[id]),
	})
	input.input.select()
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
					const change = () => (go.disabled = !boxes.some((each) => each.checked))
					const box = h("input.check", { type: "checkbox", value: device.id, change })
					const line = [device.protocolName, device.endpoints[0]].filter(Boolean).join(" · ")
					list.append(h("label.row", null, icon(deviceIcon(device)), h("span.row-text", null, h("span", null, device.name), h("small", null, line)), box))
					return box
				})
			const mergeAll = async () => {
				go.disabled = true
				const { done } = await act("merge", { devices: [id, ...boxes.filter((box) => box.checked).map((box) => box.value)] })
				go.disabled = false
				if (!done) return
				say(t.device.merged)
				sheet.close()
			}
			const go = textButton(t.device.mergeAction, mergeAll, { class: "button primary", disabled: true })
			body.append(h("p", null, t.device.mergeText), list, h("div.actions.sticky", null, textButton(t.cancel, sheet.close), go))
		},
	})
}

export function openAdd() {
	const note = h("p.faint", { role: "status" })
	askSheet({
		title: t.settings.add,
		text: t.add.text,
		input: field(t.add.label, { autofocus: true, required: true, inputmode: "url", enterkeyhint: "go", maxlength: 300 }, t.add.hint),
		action: t.add.action,
		parts: [note],
		submit: async (address) => {
			setText(note, t.add.asking)
			const { done, value } = await act("add", { address })
			setText(note, "")
			if (done) say(t.add.added(value.devices?.length ?? 1))
			return done
		},
	})
}
