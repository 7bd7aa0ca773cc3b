// Commands to the host, and what became of them.

import { leave } from "./store.js"
import { t } from "./strings.js"

class HostError extends Error {
	constructor({ code, message, remedy } = {}) {
		super(message || t.error.unknown)
		this.code = code ?? "unknown"
		this.remedy = remedy ?? null
	}
}

// The server gives a reason with every refusal; what stands between may not.
function failure(status, text) {
	let reason = null
	try {
		reason = JSON.parse(text).error
	} catch {}
	const error = new HostError(reason ?? { code: `http-${status}` })
	error.status = status
	return error
}

export async function post(path, body, signal) {
	let answer
	try {
		answer = await fetch(path, {
			method: "POST",
			headers: { "Content-Type": "application/json" },
			body: JSON.stringify(body ?? {}),
			signal,
		})
	} catch (error) {
		if (error.name === "AbortError") throw error
		throw noAnswer()
	}
	const text = await answer.text()
	if (!answer.ok) throw failure(answer.status, text)
	return { status: answer.status, body: text ? JSON.parse(text) : {} }
}

export async function perform(name, body) {
	try {
		return (await post(`/api/do/${name}`, body)).body
	} catch (error) {
		if (error.status === 401) leave("outside")
		throw error
	}
}

const noAnswer = () => new HostError({ code: "no-answer", message: t.error.noAnswer, remedy: t.connection.lostRemedy })

export function upload(device, file, progress) {
	const request = new XMLHttpRequest()
	const done = new Promise((resolve, reject) => {
		const query = new URLSearchParams({ device, name: file.name })
		request.open("POST", `/api/upload?${query}`)
		request.setRequestHeader("X-Mdhost-Page", "1")
		request.setRequestHeader("Content-Type", file.type || "application/octet-stream")
		request.upload.addEventListener("progress", (event) => progress(event.total ? event.loaded / event.total : 0))
		request.addEventListener("load", () => (request.status < 300 ? resolve() : reject(failure(request.status, request.responseText))))
		request.addEventListener("error", () => reject(noAnswer()))
		request.addEventListener("abort", resolve)
		request.send(file)
	})
	return { done, cancel: () => request.abort() }
}
