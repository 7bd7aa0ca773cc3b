import HostInterface

/// Tells devices what the programs play that play to their sinks: what the program's media player shows on the desktop.
package actor SinkMedia {
    /// The time between two changes that devices are told, because a program can make as many as it likes.
    private static let pause = Duration.milliseconds(250)

    private let host: MediaHost
    private let streams: any ProgramStreamPort
    private let players: any MediaPlayerPort
    private let ancestry: ProcessAncestry
    /// The title while no player is known.
    private let title: String
    private let clock: any Clock<Duration>
    /// The sound server's internal names of the sinks, by the session that plays.
    private var outputs: [String: String] = [:]
    private let looks: AsyncStream<Void>
    private let look: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - parent: Returns the parent of a process; `nil` for a process that has exited.
    ///   - title: The title while no player is known.
    package init(
        host: MediaHost, streams: any ProgramStreamPort, players: any MediaPlayerPort,
        parent: @escaping @Sendable (Int32) -> Int32?, title: String, clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.host = host
        self.streams = streams
        self.players = players
        ancestry = ProcessAncestry(parent: parent)
        self.title = title
        self.clock = clock
        (looks, look) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Serves until ``close()``.
    package func run() async {
        let feeding = [streams.changes, players.changes].map { changes in
            Task { [look] in for await _ in changes { look.yield() } }
        }
        for await _ in looks {
            await tell()
            try? await clock.sleep(for: Self.pause)
        }
        for task in feeding { task.cancel() }
        await follow(false)
    }

    package nonisolated func close() { look.finish() }

    /// A session plays what programs play to a sink.
    ///
    /// - Parameter output: The sound server's internal name of the sink.
    func began(_ session: String, on output: String) {
        outputs[session] = output
        look.yield()
    }

    func ended(_ session: String) {
        guard outputs.removeValue(forKey: session) != nil else { return }
        look.yield()
    }

    private func follow(_ isFollowed: Bool) async {
        await streams.follow(isFollowed)
        await players.follow(isFollowed)
    }

    private func tell() async {
        await follow(!outputs.isEmpty)
        guard !outputs.isEmpty, let programs = await streams.streams() else { return }
        let shown = await players.players()
        for (session, output) in outputs {
            // Between two programs, or in a pause, it stays as it is.
            guard programs.streams.contains(where: { $0.output == output }) else { continue }
            let player = MediaPlayer.playing(to: output, programs.streams, shown, ancestry)
            await host.describe(
                session, title: player?.title ?? title, artist: player?.artist, artworkURL: player?.artworkURL)
        }
    }
}
