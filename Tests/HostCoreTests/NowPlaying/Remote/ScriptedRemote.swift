import Foundation
import HostInterface
import LinkProtocol
import ManualTime
import Synchronization

@testable import HostCore

/// An extension for remote sessions that records its requests, and the store of the sessions.
actor ScriptedRemote: RemoteSessionRunner, RemoteSessionStore {
    static let identifier = "org.example.player.remote"

    private(set) var calls: [RemoteSessionCall] = []
    private(set) var asked: [MediaHandlerCall] = []
    private(set) var needs = 0
    private(set) var launches = 0
    private(set) var kept: [Int: RemoteSessionRecord] = [:]
    private(set) var keptTokens: [Data: PushToken] = [:]
    private var ended: [EndedSession: Int64] = [:]
    private var last = 0
    private var failure: HostError?
    private var storageFails = false
    private var holds = false
    private var held: [CheckedContinuation<Void, Never>] = []
    private var waiters: [(isDone: @Sendable (isolated ScriptedRemote) -> Bool, CheckedContinuation<Void, Never>)] = []
    private var sessions: RemoteSessions?
    private var generation = 0
    private var isRunning = false

    static let status = ExtensionStatus(
        id: identifier, name: "Player", path: "/nowhere", state: .idle)

    func serve(_ sessions: RemoteSessions) { self.sessions = sessions }

    // MARK: The extension

    /// A Boolean value that indicates whether the extension exists when the daemon starts.
    private var isInstalled = true
    func uninstall() { isInstalled = false }

    func statuses() -> [ExtensionStatus] {
        guard isInstalled else { return [] }
        var status = Self.status
        status.point = .remoteMedia
        return [status]
    }

    func acquire(_ identifier: String, reason: String) async {
        needs += 1
        if !isRunning { await launch() }
        wake()
    }

    func release(_ identifier: String, reason: String) async {
        needs -= 1
        if needs == 0 { await end(.stopped) }
        wake()
    }

    func launch() async {
        isRunning = true
        launches += 1
        generation += 1
        await sessions?.take(SupervisedEvent(identifier: Self.identifier, generation: generation, event: .started))
    }

    func end(_ event: ExtensionEvent) async {
        isRunning = false
        await sessions?.take(SupervisedEvent(identifier: Self.identifier, generation: generation, event: event))
    }

    /// Has the next calls answered so.
    func fail(_ error: HostError?) { failure = error }

    /// Has calls wait until ``letGo()``.
    func hold() { holds = true }

    func letGo() {
        holds = false
        held.forEach { $0.resume() }
        held = []
    }

    func perform(_ call: RemoteSessionCall, on identifier: String) async throws -> String {
        calls.append(call)
        wake()
        if holds { await withCheckedContinuation { held.append($0) } }
        guard isRunning else { throw HostError(.extensionCrashed, "It is not running.") }
        if let failure { throw failure }
        if case .open(let session, _, _) = call { return "/\(generation)/\(session)" }
        return ""
    }

    func ask(_ call: MediaHandlerCall, at place: String, on identifier: String) async throws -> MediaHandlerAnswer {
        guard place.hasPrefix("/\(generation)/") else { throw HostError(.extensionCrashed, "It is not running.") }
        asked.append(call)
        wake()
        return MediaHandlerAnswer()
    }

    func shows(_ title: String, session: String, devices: [MediaSessionDevice] = [], generation: Int? = nil) async {
        let state = MediaSessionState(
            content: MediaItem(id: title, kind: .music, isVideo: false, title: title),
            playback: MediaPlayback(state: .playing, position: .init(value: 10, hostTime: 1000)),
            controls: [MediaControl(.pause)], devices: devices)
        await sessions?.take(
            SupervisedEvent(
                identifier: Self.identifier, generation: generation ?? self.generation,
                event: .message(.mediaSessionChanged(session: session, state: state))))
    }

    func until(_ isDone: @escaping @Sendable (isolated ScriptedRemote) -> Bool) async {
        if isDone(self) { return }
        await withCheckedContinuation { waiters.append((isDone, $0)) }
    }

    private func wake() {
        let ready = waiters.filter { $0.isDone(self) }
        waiters.removeAll { $0.isDone(self) }
        for (_, continuation) in ready { continuation.resume() }
    }

    // MARK: The store

    func breakStorage() { storageFails = true }
    func lastRemoteSession() -> Int { last }
    func remoteSessions() -> [RemoteSessionRecord] { kept.values.sorted { $0.number < $1.number } }

    func keep(_ session: RemoteSessionRecord) throws {
        if storageFails { throw HostError(.storageFailed, "The disk is full.") }
        kept[session.number] = session
        last = max(last, session.number)
        wake()
    }

    func dropRemoteSession(number: Int) {
        kept[number] = nil
        wake()
    }

    func pushTokens() -> [PushToken] { Array(keptTokens.values) }

    func keep(_ token: PushToken) throws {
        if storageFails { throw HostError(.storageFailed, "The disk is full.") }
        keptTokens[token.value] = token
    }

    func dropPushTokens(_ values: [Data]) {
        for value in values { keptTokens[value] = nil }
    }

    func endedRemoteSessions() -> [EndedSession: Int64] { ended }

    func keep(_ session: EndedSession, endedAt timestamp: Int64, forgettingBefore oldest: Int64) {
        ended[session] = timestamp
    }
}
