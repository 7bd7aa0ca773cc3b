import Foundation
import HostInterface
import LinkProtocol
import Synchronization

@testable import HostCore

/// The script of an extension that activates, plays and resumes on request, unless told otherwise.
final class AdoptingExtension: Sendable {
    enum Answer: Sendable { case stillPlays, isOver, failed(HostError), nothing }

    private struct State {
        var adoption = Answer.stillPlays
        var activation: HostError?
        var start: HostError?
        var asksForCode = false
    }
    private let state = Mutex(State())

    var adoption: Answer {
        get { state.withLock { $0.adoption } }
        set { state.withLock { $0.adoption = newValue } }
    }
    var activation: HostError? {
        get { state.withLock { $0.activation } }
        set { state.withLock { $0.activation = newValue } }
    }
    /// The error of every start.
    var start: HostError? {
        get { state.withLock { $0.start } }
        set { state.withLock { $0.start = newValue } }
    }
    var asksForCode: Bool {
        get { state.withLock { $0.asksForCode } }
        set { state.withLock { $0.asksForCode = newValue } }
    }

    func runner(
        identifier: String = "org.example.test", protocolName: String = "Test", starts: Bool = true,
        performing: @escaping @Sendable (ExtensionCall) async -> Void = { _ in }
    ) -> ScriptedRunner {
        ScriptedRunner(
            identifier: identifier, protocolName: protocolName, starts: starts, performing: performing
        ) { [self] in answer($0) }
    }

    private func answer(_ call: ExtensionCall) -> [ExtensionMessage] {
        switch call {
        case .activate(let device, let session, _, _):
            if let error = activation { return [.failedToActivate(device: device.id, session: session, error: error)] }
            if asksForCode {
                return [
                    .requestPairingCode(
                        device: device.id, session: session,
                        challenge: PairingChallenge(method: .password, reason: "A password."))
                ]
            }
            return [.activatedDevice(device: device.id, session: session)]
        case .connectUsingPairingCode(let code?, let device, let session):
            return [
                .setCredential(device: device, secret: Data(code.utf8)),
                .activatedDevice(device: device, session: session),
            ]
        case .startSession(let session, _, _, _):
            if let start { return [.sessionFailed(session: session, error: start)] }
            return [
                .setAdoptionToken(session: session, token: Data("song 7".utf8)),
                .started(session: session, application: "", state: Self.playing(at: 0)),
            ]
        case .adoptSession(let session, _, _, _, _):
            switch adoption {
            case .stillPlays: return [.started(session: session, application: "", state: Self.playing(at: 42))]
            case .isOver: return [.sessionEnded(session: session, ending: nil)]
            case .failed(let error): return [.sessionFailed(session: session, error: error)]
            case .nothing: return []
            }
        default: return []
        }
    }

    private static func playing(at position: Double) -> PlaybackState {
        var state = PlaybackState()
        state.isReady = true
        state.isPlaying = true
        state.position.value = position
        state.timeRange.duration = 60
        return state
    }
}
