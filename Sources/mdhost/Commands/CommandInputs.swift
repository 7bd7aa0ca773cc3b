import Dispatch
import Foundation
import HostClient
import HostInterface

/// The inputs of a running command, in one order.
enum CommandInput: Sendable {
    case host(HostEvent)
    case key(Key)
    /// Time passed: something on the screen moves.
    case tick
    case deadline
    /// The request of ``CommandInputs/add(request:)`` was answered: the object path, or why not.
    case answer(Result<String, HostError>)
    case log(ClientLogBatch)
    /// The picture of an item, which is named by its address.
    case picture(PixelPicture, of: String)
    /// Ctrl-C or a termination signal.
    case interrupted
    /// The daemon exited.
    case disconnected
}

/// The sources of a command's inputs; all of them end with this object's ``stop()``.
final class CommandInputs {
    let stream: AsyncStream<CommandInput>
    private let continuation: AsyncStream<CommandInput>.Continuation
    private var tasks: [Task<Void, Never>] = []
    private var signals: [any DispatchSourceSignal] = []

    init() {
        (stream, continuation) = AsyncStream.makeStream(of: CommandInput.self)
    }

    func add(events: AsyncStream<HostEvent>) {
        tasks.append(
            Task { [continuation] in
                for await event in events { continuation.yield(.host(event)) }
                continuation.yield(.disconnected)
            })
    }

    func add(log: AsyncStream<ClientLogBatch>) {
        tasks.append(Task { [continuation] in for await batch in log { continuation.yield(.log(batch)) } })
    }

    func add(keys: AsyncStream<Key>) {
        tasks.append(Task { [continuation] in for await key in keys { continuation.yield(.key(key)) } })
    }

    func add(request: @escaping @Sendable () async throws(HostError) -> String) {
        tasks.append(
            Task { [continuation] in
                do throws(HostError) {
                    continuation.yield(.answer(.success(try await request())))
                } catch {
                    continuation.yield(.answer(.failure(error)))
                }
            })
    }

    /// Requests a picture. One that can't be had is left out: it is decoration.
    func add(pictureOf address: String, _ request: @escaping @Sendable () async throws(HostError) -> PixelPicture) {
        tasks.append(
            Task { [continuation] in
                guard let picture = try? await request() else { return }
                continuation.yield(.picture(picture, of: address))
            })
    }

    func addDeadline(after limit: Duration) {
        tasks.append(
            Task { [continuation] in
                guard (try? await Task.sleep(for: limit)) != nil else { return }
                continuation.yield(.deadline)
            })
    }

    func addTicks(every interval: Duration) {
        tasks.append(
            Task { [continuation] in
                while (try? await Task.sleep(for: interval)) != nil { continuation.yield(.tick) }
            })
    }

    /// Ctrl-C and termination arrive as ``CommandInput/interrupted`` instead of ending the process.
    func addSignals() {
        for number in [SIGINT, SIGTERM, SIGHUP] {
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler { [continuation] in continuation.yield(.interrupted) }
            source.resume()
            signals.append(source)
        }
    }

    /// Has the command end as by Ctrl-C.
    func interrupt() { continuation.yield(.interrupted) }

    func stop() {
        for task in tasks { task.cancel() }
        for source in signals { source.cancel() }
        continuation.finish()
    }

    deinit { stop() }
}
