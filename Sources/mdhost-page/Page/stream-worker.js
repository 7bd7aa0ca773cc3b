// One stream for all tabs: a browser allows six connections to a server.

import { StateStream } from "./stream.js"

const tabs = new Set()
const stream = new StateStream((message) => {
	for (const tab of tabs) tab.postMessage(message)
})

self.addEventListener("connect", ({ ports: [tab] }) => {
	tab.onmessage = ({ data }) => {
		if (data === "hello") {
			tabs.add(tab)
			if (stream.state) tab.postMessage({ type: "snapshot", data: stream.state, received: stream.received })
			if (stream.connection !== "connecting") tab.postMessage({ type: "connection", value: stream.connection })
			if (tabs.size === 1 || ["outside", "revoked", "lost"].includes(stream.connection)) stream.hurry()
		} else if (data === "bye") {
			tabs.delete(tab)
			if (!tabs.size) stream.close()
		} else if (data === "again") {
			stream.open()
		} else if (data === "hurry") {
			stream.hurry()
		}
	}
})
