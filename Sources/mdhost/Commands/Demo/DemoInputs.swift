import Avahi
import Foundation
import HostInterface
import ReferenceReceiver

/// The inputs of the demo's screen, in one order.
enum DemoInput: Sendable {
    case listens(ReferenceReceiver.Place)
    /// A sample to play, for a person without own media.
    case offers(sample: String)
    case notice(ReceiverNotice)
    case announcement(AvahiPublisher.State)
    /// A part of the demo cannot go on.
    case failed(HostError)
    case key(Key)
    case tick
    case interrupted
}

/// The sources of the demo's inputs; all of them end with ``stop()``.
final class DemoInputs: Sendable {
    let stream: AsyncStream<DemoInput>
    private let continuation: AsyncStream<DemoInput>.Continuation

    init() { (stream, continuation) = AsyncStream.makeStream(of: DemoInput.self) }

    func listens(_ place: ReferenceReceiver.Place) { continuation.yield(.listens(place)) }
    func servesSamples(_ sample: String) { continuation.yield(.offers(sample: sample)) }
    func show(_ notice: ReceiverNotice) { continuation.yield(.notice(notice)) }

    /// Runs a part of the demo, and reports its end unless it was cancelled.
    func run(_ what: String, _ part: () async throws -> Void) async {
        do {
            try await part()
        } catch is CancellationError {
        } catch {
            continuation.yield(
                .failed(HostError(.internalFailure, "The demo cannot \(what): \(FailureReason.text(of: error)).")))
        }
    }

    /// Hands a command's keys, ticks and signals on.
    func add(_ inputs: AsyncStream<CommandInput>) -> Task<Void, Never> {
        Task { [continuation] in
            for await input in inputs {
                switch input {
                case .key(let key): continuation.yield(.key(key))
                case .tick: continuation.yield(.tick)
                case .interrupted: continuation.yield(.interrupted)
                default: break
                }
            }
        }
    }

    func add(_ states: AsyncStream<AvahiPublisher.State>) -> Task<Void, Never> {
        Task { [continuation] in for await state in states { continuation.yield(.announcement(state)) } }
    }
}
