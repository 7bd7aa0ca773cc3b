import DBus
package import HostInterface

extension HostClient {
    /// Adds a sink for a device, or several that play together, to the desktop's sound server.
    ///
    /// - Parameters:
    ///   - device: The object path of the device.
    ///   - others: The object paths of the other devices of a group.
    ///   - name: The name of the group; `nil` for the names of its devices.
    ///   - latency: The latency to ask the device for; `nil` for the usual one.
    /// - Throws: ``HostError``, for example `no-sound-server` or `not-supported`.
    package func addSink(
        _ device: String, with others: [String] = [], name: String? = nil, latency: RequestedLatency? = nil
    ) async throws(HostError) -> SoundSinkStatus {
        var options: [String: DBusValue] = [:]
        options["latency"] = latency.map { .double($0.seconds) }
        if !others.isEmpty { options["with"] = .array(of: "o", others.map { .objectPath($0) }) }
        options["name"] = name.map { .string($0) }
        let reply = try await call(
            HostNames.rootPath, interface: HostNames.managerInterface, "AddSink",
            [.objectPath(device), .options(options)])
        return try Self.sink(reply.first)
    }

    package func removeSink(_ device: String) async throws(HostError) {
        try await call(
            HostNames.rootPath, interface: HostNames.managerInterface, "RemoveSink", [.objectPath(device)])
    }

    /// Sets whether every device that is found gets a sink.
    package func setSinksFollowDevices(_ value: Bool) async throws(HostError) {
        try await call(
            HostNames.rootPath, interface: HostNames.managerInterface, "SetSinksFollowDevices", [.boolean(value)])
    }

    /// Returns the sinks, in the order of their addition.
    package func sinks() async throws(HostError) -> [SoundSinkStatus] {
        let reply = try await call(HostNames.rootPath, interface: HostNames.managerInterface, "ListSinks")
        var sinks: [SoundSinkStatus] = []
        for value in reply.first?.asArray ?? [] { sinks.append(try Self.sink(value)) }
        return sinks
    }

    private static func sink(_ value: DBusValue?) throws(HostError) -> SoundSinkStatus {
        guard let value, let status = try? DBusDictionaryDecoder().decode(SoundSinkStatus.self, from: value) else {
            throw HostError(.internalFailure, "The daemon's answer cannot be understood.")
        }
        return status
    }
}
