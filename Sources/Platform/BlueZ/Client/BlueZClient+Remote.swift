import DBus

extension BlueZClient {
    /// Tells the devices of an adapter what plays here, and gives the keys that are pressed on them; both end when nobody reads
    /// the keys any more. bluetoothd does not say which device a key is of.
    ///
    /// - Parameter media: What plays, and whatever becomes of it. Nothing is told before the first.
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
                // What plays is heard all the same.
                return await player.remove()
            }
        }
        guard isShown else { return }
        // In a task of its own, as a cancelled one calls nobody.
        await Task { _ = try? await self.call(adapter, Self.media, "UnregisterPlayer", [.objectPath(player.path)]) }
            .value
        await player.remove()
    }

    private static let media = "org.bluez.Media1"
}
