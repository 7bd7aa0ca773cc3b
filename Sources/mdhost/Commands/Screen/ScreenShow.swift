import HostClient
import HostInterface
import ScreenInterface
import Synchronization

/// The screen on a device, from its consent to its end.
struct ScreenShow {
    /// The time for the program's last word, after the session's end.
    private static let patience = Duration.seconds(1)

    private let screen: ScreenChild
    private let device: ClientDevice
    private let output: Output
    private let record = ScreenRecord()

    init(screen: ScreenChild, device: ClientDevice, output: Output) {
        self.screen = screen
        self.device = device
        self.output = output
    }

    /// Waits until the capture begins, which may take a person's consent.
    ///
    /// - Returns: What is captured.
    /// - Throws: ``HostError`` if it doesn't, or `cancelled`.
    func begin(_ connection: inout HostConnection) async throws -> ScreenFacts {
        let output = output
        let name = DisplayText.clean(device.name)
        try await connection.settle { [screen, record] () throws(HostError) in
            for await report in screen.reports {
                switch report {
                case .began(let facts):
                    output.notice(ScreenSentences.showing(facts, on: name))
                    return record.take(facts)
                case .ended(let error): throw error
                case .asking: output.notice("Select the screen to show on \(name) in the window of the desktop.")
                case .notice(let text): output.notice(text)
                case .figures: break
                }
            }
            throw Self.noCapture
        }
        guard let facts = record.facts else { throw Self.noCapture }
        return facts
    }

    private static var noCapture: HostError {
        HostError(.internalFailure, "The program \(ScreenRequest.program) ended at once.")
    }

    /// Follows the session until it ends. The end of the capture is its end, too.
    ///
    /// - Throws: ``HostError`` of the session or the capture.
    func follow(_ session: ClientSession, _ connection: HostConnection, isDetached: Bool) async throws -> HostConnection
    {
        if isDetached { screen.detach() }
        let (record, output, inputs) = (record, output, UncheckedInputs(inputs: connection.inputs))
        let reading = Task { [screen] in
            for await report in screen.reports {
                switch report {
                case .ended(let error):
                    record.take(error)
                    inputs.inputs.interrupt()
                case .figures(let figures): record.take(figures)
                case .notice(let text): output.notice(text)
                case .asking, .began: break
                }
            }
        }
        defer { reading.cancel() }
        guard !isDetached else { return try await connection.follow(session, isDetached: true, output) }
        var player = PlayerScreen(session: session, connection: connection, output: output)
        do { try await player.run() } catch {
            // The session may be over before the end of the capture can stop it.
            guard record.ending != nil else { throw error }
        }
        let connection = player.connection
        if let current = connection.view.sessions[session.id], !current.isOver, record.ending == nil {
            // The person left it playing.
            screen.detach()
        } else {
            // The program ends with the session, and may have said why before: the session's end can be heard first.
            let limit = Task {
                try? await Task.sleep(for: Self.patience)
                reading.cancel()
            }
            await reading.value
            limit.cancel()
        }
        if !output.isJSON, let summary = record.figures.flatMap(ScreenSentences.summary) { output.notice(summary) }
        // After a stop, the end of the capture is only its consequence.
        if let error = record.ending, player.last?.ending != "stopped" { throw error }
        return connection
    }
}

/// For a call that any thread may make.
private struct UncheckedInputs: @unchecked Sendable { let inputs: CommandInputs }

/// The reports so far that count later.
private final class ScreenRecord: Sendable {
    private struct State {
        var facts: ScreenFacts?
        var figures: ScreenFigures?
        var ending: HostError?
    }

    private let state = Mutex(State())

    var facts: ScreenFacts? { state.withLock { $0.facts } }
    var figures: ScreenFigures? { state.withLock { $0.figures } }
    var ending: HostError? { state.withLock { $0.ending } }

    func take(_ facts: ScreenFacts) { state.withLock { $0.facts = facts } }
    func take(_ figures: ScreenFigures) { state.withLock { $0.figures = figures } }
    func take(_ ending: HostError) { state.withLock { $0.ending = ending } }
}
