extension PulsePlayer {
    /// Waits until the server has an output of a Bluetooth device, and begins to play there. Doesn't start a server.
    ///
    /// - Parameters:
    ///   - path: The server's socket; `nil` for the server that programs of this user find.
    ///   - address: The device's address, `00:11:22:33:44:55`.
    ///   - patience: The time the server has to get the output.
    ///   - title: The name shown in the server's mixer.
    ///   - latency: Seconds that may wait for the output; `nil` for the usual ones. Half of them wait before it begins.
    ///   - source: A socket or pipe that samples are read from; taken over, also when this throws.
    package static func open(
        path: String? = nil, bluetooth address: String, within patience: Duration, title: String, isPaused: Bool,
        latency: Double? = nil, reading source: Int32
    ) async throws(Failure) -> PulsePlayer {
        let player = try PulsePlayer(reading: source, isPaused: isPaused)
        do throws(Failure) {
            try await player.connect(path)
            let output = try await player.output(of: address, within: patience)
            try await player.begin(output, title, latency)
        } catch {
            await player.close()
            throw error
        }
        return player
    }

    /// Begins to play on the server's default output, and follows it when the server or a person moves it. Doesn't
    /// start a server.
    ///
    /// - Parameters:
    ///   - path: The server's socket; `nil` for the server that programs of this user find.
    ///   - title: The name shown in the server's mixer.
    ///   - latency: Seconds that may wait for the output; `nil` for the usual ones. Half of them wait before it begins.
    ///   - source: A socket or pipe that samples are read from; taken over, also when this throws.
    package static func openDefault(
        path: String? = nil, title: String, isPaused: Bool, latency: Double? = nil, reading source: Int32
    ) async throws(Failure) -> PulsePlayer {
        let player = try PulsePlayer(reading: source, isPaused: isPaused)
        do throws(Failure) {
            try await player.connect(path)
            try await player.begin(nil, title, latency)
        } catch {
            await player.close()
            throw error
        }
        return player
    }
}
