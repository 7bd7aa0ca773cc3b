import Foundation
package import HostInterface

/// Sinks of several devices that play together.
extension SoundSinks {
    private static let mostMembers = 16
    /// The time for the devices of a group to be found, and for known ones to answer, before playback starts without them.
    private static let gathering = Duration.seconds(2)

    package func addGroup(
        _ devices: [String], name: String?, latency: RequestedLatency?
    ) async throws(HostError) -> SoundSinkStatus {
        let members = try await members(devices)
        let ids = members.map(\.id)
        let name = try name.map { name throws(HostError) in try MediaHost.checkedName(name) }
        if latency != nil { for id in ids { try await host.checkLatency(of: id) } }
        try await server.connect()
        let groups = sinks.values.filter(\.isGroup)
        let known =
            groups.first { Set($0.record.members) == Set(ids) }
            ?? groups.first { name != nil && $0.record.hasOwnName && $0.record.name == name }
        var record = known?.record ?? SoundSinkRecord(id: UUID().uuidString, name: "")
        record.members = ids
        if let name {
            record.hasOwnName = !name.isEmpty
            record.name = name
        }
        if !record.hasOwnName { record.name = members.map(\.description.name).joined(separator: " + ") }
        record.ask(latency)
        try await keep(record)
        var sink = sinks[record.id] ?? SoundSink(record: record)
        let before = sink
        sink.change(record)
        sink.devices = sink.devices.filter { ids.contains($0.key) }
        sink.missing.formIntersection(ids)
        put(sink)
        for device in members { sinks[record.id]?.take(device) }
        await regroup(record.id, from: before)
        await show(record.id)
        await look()
        return (sinks[record.id] ?? sink).status(server: await server.serverName)
    }

    /// Returns the devices, each once, if they can play together.
    private func members(_ ids: [String]) async throws(HostError) -> [HostDevice] {
        var members: [HostDevice] = []
        for id in ids {
            let device = try await able(id)
            if !members.contains(where: { $0.id == device.id }) { members.append(device) }
        }
        guard (2...Self.mostMembers).contains(members.count) else {
            throw HostError(.invalidArgument, "A group has 2 to \(Self.mostMembers) different devices.")
        }
        try await host.checkTogether(members.map(\.id))
        return members
    }

    /// Changes the playback of a group whose devices were changed.
    private func regroup(_ id: String, from before: SoundSink) async {
        guard let sink = sinks[id], case .playing = sink.phase else { return }
        // New devices join first, so that the playback doesn't end with the last old one.
        for device in sink.deviceIDs where !before.deviceIDs.contains(device) { await join(device, in: id) }
        for device in before.deviceIDs where !sink.deviceIDs.contains(device) { try? await host.leave(device) }
    }

    /// Returns the device that leads the playback of a sink's group; `nil` if it doesn't play.
    func leader(of sink: SoundSink) async -> String? {
        guard sink.isGroup, case .playing(let session) = sink.phase else { return nil }
        return try? await host.session(session).deviceID
    }

    private func join(_ device: String, in id: String) async {
        guard let sink = sinks[id], let leader = await leader(of: sink) else { return }
        do {
            try await host.join(device, leader, prompt: nil)
        } catch {
            note((error as? HostError) ?? HostError(.internalFailure, "\(error)"), of: id)
        }
    }

    private func note(_ error: HostError, of id: String) {
        guard let name = sinks[id]?.record.name else { return }
        sinks[id]?.error = error
        report(HostError(error.code, "\(name) doesn't play on all of its devices: \(error.message)"))
    }

    /// A device of a group is available.
    func arrived(_ device: String, in id: String, from before: SoundSink) {
        guard let sink = sinks[id] else { return }
        if sink.isComplete { arrivals.fulfil(Self.completion(of: id), with: ()) }
        guard case .playing = sink.phase, before.missing.contains(device) else { return }
        Task { await join(device, in: id) }
    }

    // MARK: Playback

    /// Plays on the devices of a group that are available. A device that fails doesn't keep the others from playing.
    ///
    /// - Returns: The session, and the error of a device that doesn't play.
    func playTogether(_ id: String) async throws -> (session: String, error: HostError?) {
        let (present, absence) = try await present(id)
        guard let sink = sinks[id] else { throw HostError(.cancelled, "The sink was removed.") }
        let source = PlaybackSource.stream(try await stream(of: sink))
        do {
            return (try await play(source, on: present[0], with: Array(present.dropFirst())), absence)
        } catch let error as HostError where error.code != .cancelled {
            return try await playOneByOne(source, on: present, after: error)
        }
    }

    /// Starts with the first device that works. The stream is unread until then.
    private func playOneByOne(
        _ source: PlaybackSource, on devices: [String], after first: HostError
    ) async throws -> (session: String, error: HostError?) {
        var failure = first
        for (index, leader) in devices.enumerated() {
            do {
                let session = try await play(source, on: leader, with: [])
                for device in devices[(index + 1)...] {
                    do {
                        try await host.join(device, leader, prompt: nil)
                    } catch let error as HostError {
                        failure = error
                        report(error)
                    }
                }
                return (session, failure)
            } catch let error as HostError where error.code != .cancelled {
                failure = error
            }
        }
        throw failure
    }

    private func play(_ source: PlaybackSource, on device: String, with others: [String]) async throws -> String {
        try await host.play(
            source, on: device, with: others, application: nil, media: MediaInformation(title: title), prompt: nil)
    }

    /// Returns the available devices of a group, at least one, and an error if one is missing.
    private func present(_ id: String) async throws -> (devices: [String], error: HostError?) {
        for device in sinks[id]?.deviceIDs ?? [] {
            if let device = try? await host.shownDevice(device) { sinks[id]?.take(device) }
        }
        if sinks[id]?.isComplete == false {
            // Discovery asks known devices, too.
            searches.insert(id)
            let late = HostError(.unreachable, "Not all devices are there.")
            try? await arrivals.outcome(
                Self.completion(of: id), within: Self.gathering, clock: clock, late: late
            ) { await self.look() }
            searches.remove(id)
            await look()
        }
        guard let before = sinks[id] else { throw HostError(.cancelled, "The sink was removed.") }
        let present = before.deviceIDs.filter { before.devices[$0]?.availability == .ready }
        guard !present.isEmpty else {
            throw HostError(.unreachable, "None of the devices of \(before.record.name) is there.")
        }
        let absent = before.deviceIDs.filter { !present.contains($0) }
        sinks[id]?.missing = Set(absent)
        await changed(id, from: before)
        guard !absent.isEmpty else { return (present, nil) }
        let names = absent.map { before.devices[$0]?.description.name ?? "a device" }.joined(separator: ", ")
        return (present, HostError(.unreachable, "The group plays without \(names)."))
    }

    private static func completion(of id: String) -> String { "all of " + id }
}

extension SoundSink {
    /// A Boolean value that indicates whether all devices are available.
    fileprivate var isComplete: Bool { deviceIDs.allSatisfy { devices[$0]?.availability == .ready } }
}
