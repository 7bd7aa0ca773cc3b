import DBus

extension BlueZClient {
    /// Reports this machine's playback to the devices of an adapter and returns the keys pressed on them. Both end when
    /// the reader of the keys stops. bluetoothd doesn't report which device a key belongs to.
    ///
    /// - Parameter media: The current media and all its changes. Devices get no report before the first element.
    package nonisolated func remoteKeys(
        on adapter: BlueZIdentifier, showing media: AsyncStream<PlayedMedia>
    ) -> AsyncStream<RemoteKey> {
        AsyncStream { sink in
            let task = Task {
                await self.show(media, on: adapter) { sink.yield($0) }
                sink.finish()
            }
            sink.onTermination = { _ in task.cancel() }
        }
    }

    private func show(
        _ media: AsyncStream<PlayedMedia>, on adapter: BlueZIdentifier, onKey: @escaping @Sendable (RemoteKey) -> Void
    ) async {
        retain()
        defer { release() }
        if state == .connecting { _ = await current() }
        guard state == .running, let connection, let owner else { return }
        let player = RemotePlayer(loop: loop, number: nextNumber(), caller: owner, onKey: onKey)
        var isShown = false
        for await each in media {
            guard !isShown else {
                await player.show(each)
                continue
            }
            do {
                try await player.attach(connection, showing: each)
                try await call(
                    adapter, Self.media, "RegisterPlayer",
                    [.objectPath(player.path), .properties(each.properties)])
                isShown = true
            } catch {
                // Without a registered player the audio still plays.
                return await player.remove()
            }
        }
        guard isShown else { return }
        // A separate task, because a cancelled task sends no calls.
        await Task { _ = try? await self.call(adapter, Self.media, "UnregisterPlayer", [.objectPath(player.path)]) }
            .value
        await player.remove()
    }

    private static let media = "org.bluez.Media1"
}
