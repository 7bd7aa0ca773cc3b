package import HostInterface
import Synchronization

/// Sinks for new devices.
extension SoundSinks {
    package var isFollowing: Bool { following.isOn }

    package func setFollowing(_ isOn: Bool) async throws(HostError) {
        guard isOn != following.isOn else { return }
        if isOn { try await server.connect() }
        try await changeFollowing { $0.turn(isOn) }
        isLimitReported = false
        if isOn { for device in await host.devices { await follow(device) } }
        await look()
    }

    /// Adds a sink for a device that was found, if new ones get one.
    func follow(_ device: HostDevice) async {
        guard !isClosed, following.wants(device) else { return }
        let ids = device.wholeAndParts
        guard !sinks.values.contains(where: { $0.route == nil && ids.contains($0.record.id) }) else { return }
        guard sinks.values.count(where: \.record.isAutomatic) < SinkFollowing.limit else { return reportLimit(device) }
        let record = SoundSinkRecord(id: device.id, name: device.description.name, isAutomatic: true)
        put(SoundSink(record: record))
        sinks[record.id]?.take(device)
        do throws(HostError) {
            try await keep(record)
        } catch {
            // The next daemon adds it again.
            report(error)
        }
        await show(record.id)
    }

    /// Changes and stores the setting.
    ///
    /// - Throws: ``HostError`` `storage-failed`. The setting is unchanged then.
    func changeFollowing(_ change: (inout SinkFollowing) -> Void) async throws(HostError) {
        let before = following
        change(&following)
        guard following != before else { return }
        do {
            try await store.keep(following)
        } catch {
            following = before
            throw HostError(.storageFailed, "The setting for sinks of new devices cannot be stored: \(error)")
        }
        followsDevices.withLock { $0 = following.isOn }
    }

    private func reportLimit(_ device: HostDevice) {
        guard !isLimitReported else { return }
        isLimitReported = true
        report(
            HostError(
                .limitExceeded,
                """
                \(device.description.name) gets no sink, because \(SinkFollowing.limit) new devices have one already. \
                Use `mdhost sink add` to add it.
                """))
    }
}
