import Foundation
import HostClient
import HostInterface
import Synchronization

/// An observer that records every change the product reports about some devices, their playback, and an extension.
///
/// It is connected like a command, so it misses nothing that a command would have shown, and continues with the next
/// daemon. While it can't connect, it retries.
final class Onlooker: Sendable {
    struct Sight: Sendable {
        var remark: FaultReport.Remark
        var time: ContinuousClock.Instant
    }

    private struct State {
        var devices: [String: ClientDevice] = [:]
        var last: [String: String] = [:]
        /// Object paths of the sessions that existed from the beginning.
        var sessions: Set<String> = []
        var sights: [Sight] = []
        var isLooking = false
    }

    private let names: Set<String>
    private let extensions: Set<String>
    private let state = Mutex(State())
    private let task = Mutex<Task<Void, Never>?>(nil)

    /// - Parameters:
    ///   - names: The names of devices.
    ///   - extensions: Their identifiers.
    static func open(
        _ product: some ProductUnderTest, devices names: Set<String>, extensions: Set<String>
    ) async throws -> Onlooker {
        let onlooker = Onlooker(names: names, extensions: extensions)
        let task = Task {
            if let socket = product.reachableSocket {
                await onlooker.look(socket)
            } else {
                await onlooker.ask(product)
            }
        }
        onlooker.task.withLock { $0 = task }
        try await eventually("a first look") { onlooker.state.withLock { $0.isLooking } }
        return onlooker
    }

    private init(names: Set<String>, extensions: Set<String>) {
        self.names = names
        self.extensions = extensions
    }

    var sights: [Sight] { state.withLock { $0.sights } }

    func note(_ place: String, _ text: String) {
        state.withLock { $0.sights.append(Sight(remark: .init(place: place, text: text), time: .now)) }
    }

    func close() { task.withLock { $0?.cancel() } }

    private func look(_ socket: String) async {
        while !Task.isCancelled {
            if let client = try? await HostClient.connect(to: socket, launching: false) {
                if let events = try? await client.events() {
                    for await event in events { take(event) }
                }
                await client.close()
            }
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    private func ask(_ product: some ProductUnderTest) async {
        var last: ProductStatus?
        while !Task.isCancelled {
            if let status = try? await product.productStatus() {
                for device in last?.devices ?? [] where !status.devices.contains(where: { $0.id == device.id }) {
                    take(.deviceRemoved(device))
                }
                for session in last?.sessions ?? [] where !status.sessions.contains(where: { $0.id == session.id }) {
                    take(.sessionRemoved(session))
                }
                for device in status.devices { take(.device(device)) }
                for session in status.sessions { take(.session(session)) }
                for one in status.extensions { take(.extension(one)) }
                take(.manager(status.daemon))
                if last == nil { take(.ready) }
                last = status
            }
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    private func take(_ event: HostEvent) {
        state.withLock { state in
            switch event {
            case .ready: state.isLooking = true
            case .device(let device):
                guard concerns(device) || state.devices[device.path] != nil else { return }
                state.devices[device.path] = device
                say("discover", of: device.path, words(device), &state)
            case .deviceRemoved(let device):
                guard concerns(device) else { return }
                say("discover", of: device.path, "lost", &state)
            case .session(let session):
                if !state.isLooking {
                    state.sessions.insert(session.path)
                    state.last["sessions" + session.path] = session.state
                }
                guard state.sessions.contains(session.path), state.devices[session.device] != nil else { return }
                let error = session.error.map { " (\($0.message))" } ?? ""
                say("sessions", of: session.path, session.state + error, &state)
            case .sessionRemoved(let session):
                guard state.sessions.contains(session.path), !session.isOver else { return }
                say("sessions", of: session.path, "gone", &state)
            case .extension(let status):
                guard extensions.contains(status.id) else { return }
                // Activity is no news, but a problem is.
                guard let words = Self.words(status) else { return }
                say("extension list", of: status.id, words, &state)
            case .manager(let manager):
                let problems = manager.problems.map(\.message).joined(separator: " ")
                say("status", of: "", problems.isEmpty ? "no problem" : problems, &state)
            case .extensionRemoved, .mediaSession, .mediaSessionRemoved, .nowPlaying: break
            }
        }
    }

    private func concerns(_ device: ClientDevice) -> Bool {
        names.contains(device.name) || names.contains(device.deviceName)
    }

    /// Records a change; the first text about a subject is its state before.
    private func say(_ place: String, of subject: String, _ text: String, _ state: inout State) {
        let last = state.last.updateValue(text, forKey: place + subject)
        guard state.isLooking, last != text else { return }
        if last == nil, place == "discover" || text == "running" { return }
        state.sights.append(Sight(remark: .init(place: place, text: text), time: .now))
    }

    private func words(_ device: ClientDevice) -> String {
        let state = device.activation == "reconnecting" ? device.activation : device.availability
        return concerns(device) ? state : "“\(device.name)” \(state)"
    }

    private static func words(_ status: ClientExtension) -> String? {
        switch status.state {
        case "crashed", "quarantined", "load-failed": status.state + (status.lastError.map { ", “\($0)”" } ?? "")
        case "running": status.state
        default: nil
        }
    }
}
