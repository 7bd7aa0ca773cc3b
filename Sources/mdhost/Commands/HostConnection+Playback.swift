import HostClient
import HostInterface

extension HostConnection {
    /// Tells a waiting person the reason for the wait.
    func announce(_ devices: [ClientDevice], _ output: Output) {
        guard Terminal.errors.isInteractive, !output.isJSON else { return }
        let names = DisplayText.clean(devices.map(\.name).joined(separator: " + "))
        output.notice(Style.dim("Connecting to \(names) …", on: .errors))
    }

    /// Shows the started session until it ends, or only its start.
    ///
    /// - Returns: The connection, which may be another one by then.
    /// - Throws: ``HostError`` of the session if it failed.
    func follow(_ session: ClientSession, isDetached: Bool, _ output: Output) async throws -> HostConnection {
        guard isDetached else {
            var player = PlayerScreen(session: session, connection: self, output: output)
            try await player.run()
            return player.connection
        }
        if output.isJSON {
            try output.json(session)
        } else {
            output.line("Playing on \(DisplayText.clean(view.names(of: session))) (session \(session.id)).")
        }
        return self
    }
}
