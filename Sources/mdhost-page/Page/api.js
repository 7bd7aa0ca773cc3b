// Commands to the host, and what became of them.

import { leave } from "./store.js"
import { t } from "./strings.js"

export class HostError extends Error {
	constructor({ code, message, remedy } = {}) {
		super(message || t.error.unknown)
		this.code = code ?? "unknown"
		this.remedy = remedy ?? null
	}
}

async function failure(answer) {
	let body = null
	try {
		body = await answer.json()
	} catch {
		// An answer without a reason.
	}
	const isRole = answer.status === 403 && !body?.error?.message
	return new HostError(body?.error ?? { code: `http-${answer.status}`, message: isRole ? t.error.notAllowed : null })
}

/** Sends JSON to the server. Returns the status and the answer's object. */
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
		throw new HostError({ code: "no-answer", message: t.error.noAnswer, remedy: t.connection.lostRemedy })
	}
	if (!answer.ok) {
		const error = await failure(answer)
		error.status = answer.status
		throw error
	}
	const text = await answer.text()
	return { status: answer.status, body: text ? JSON.parse(text) : {} }
}

/** Carries out a command of the host. */
export async function perform(name, body) {
	try {
		return (await post(`/api/do/${name}`, body)).body
	} catch (error) {
		if (error.status === 401) leave("outside")
		throw error
	}
}

/** Sends a file as the device reads it. Calls `progress` with the part that has been sent. */
export function upload(device, file, progress) {
	const request = new XMLHttpRequest()
	const done = new Promise((resolve, reject) => {
		const query = new URLSearchParams({ device, name: file.name })
		request.open("POST", `/api/upload?${query}`)
		request.setRequestHeader("X-Mdhost-Page", "1")
		request.setRequestHeader("Content-Type", file.type || "application/octet-stream")
		request.upload.addEventListener("progress", (event) => progress(event.total ? event.loaded / event.total : 0))
		request.addEventListener("load", () => {
			if (request.status < 300) return resolve()
			let error
			try {
				error = JSON.parse(request.responseText).error
			} catch {
				error = { code: `http-${request.status}` }
			}
			reject(new HostError(error))
		})
		request.addEventListener("error", () => reject(new HostError({ code: "no-answer", message: t.error.noAnswer })))
		request.addEventListener("abort", () => resolve())
		request.send(file)
	})
	return { done, cancel: () => request.abort() }
}
