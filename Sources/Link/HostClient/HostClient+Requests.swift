package import DBus
package import Foundation
package import HostInterface

extension HostClient {
    /// The time limit for the daemon's answer, longer than the daemon's own limits, so that its error arrives and not a
    /// timeout of the bus.
    private static let patience = Duration.seconds(420)

    /// Starts discovery, until ``endLease(_:)`` or until this client disconnects.
    package func takeLease() async throws(HostError) -> String {
        let reply = try await call(
            HostNames.rootPath, interface: HostNames.managerInterface, "AcquireDiscoveryLease", [.options([:])])
        return reply.first?.asString ?? ""
    }

    package func endLease(_ path: String) async throws(HostError) {
        try await call(path, interface: HostNames.leaseInterface, "Release")
    }

    package func activate(_ device: String) async throws(HostError) {
        try await self.device(device, "Activate", [.options([:])])
    }

    package func deactivate(_ device: String) async throws(HostError) {
        try await self.device(device, "Deactivate", [])
    }
    /// Pairs with a device.
    ///
    /// - Parameter via: The part of a merged device, by protocol, extension, name or identifier; `nil` for all.
    package func pair(_ device: String, via: String? = nil) async throws(HostError) {
        try await self.device(device, "Pair", [.options(via.map { ["via": .string($0)] } ?? [:])])
    }
    /// Sets the person's own name of a device; an empty one restores the device's name.
    package func rename(_ device: String, to name: String) async throws(HostError) {
        try await self.device(device, "Rename", [.string(name)])
    }

    /// Adds a device by its address.
    ///
    /// - Parameters:
    ///   - address: `HOST`, `HOST:PORT`, `[IPV6]:PORT` or a URL.
    ///   - protocolName: The identifier or name of the protocol; `nil` for any.
    /// - Returns: The object paths of the devices at the address.
    package func addDevice(_ address: String, protocolName: String?) async throws(HostError) -> [String] {
        let options = protocolName.map { ["protocol": DBusValue.string($0)] } ?? [:]
        let reply = try await call(
            HostNames.rootPath, interface: HostNames.managerInterface, "AddDevice",
            [.string(address), .options(options)], timeout: Self.patience)
        return reply.first?.asArray?.compactMap(\.asString) ?? []
    }

    package func removeDevice(_ address: String) async throws(HostError) {
        try await call(
            HostNames.rootPath, interface: HostNames.managerInterface, "RemoveDevice", [.string(address)])
    }

    /// Merges devices into one. The first gives it its identifier and name, and is preferred.
    ///
    /// - Returns: The object path of the merged device.
    package func merge(_ devices: [String]) async throws(HostError) -> String {
        let reply = try await call(
            HostNames.rootPath, interface: HostNames.managerInterface, "MergeDevices",
            [.array(of: "o", devices.map(DBusValue.objectPath)), .options([:])])
        return reply.first?.asString ?? ""
    }

    /// Splits a merged device.
    ///
    /// - Returns: The object paths of the resulting devices that are known.
    package func split(_ device: String) async throws(HostError) -> [String] {
        let reply = try await call(
            HostNames.rootPath, interface: HostNames.managerInterface, "SplitDevice",
            [.objectPath(device), .options([:])])
        return reply.first?.asArray?.compactMap(\.asString) ?? []
    }

    package func forget(_ device: String) async throws(HostError) { try await self.device(device, "Forget", []) }

    /// Plays a URL on a device.
    ///
    /// - Parameters:
    ///   - others: Object paths of exactly the other devices that play it too; `nil` for the devices already grouped
    ///     with the first.
    ///   - via: The part of a merged device; `nil` for the one in use, or else the preferred one.
    ///   - request: An app's own name for the request, under which it may repeat it to the next daemon.
    /// - Returns: The session's object path.
    package func play(
        _ url: URL, on device: String, with others: [String]? = nil, application: String? = nil,
        media: MediaInformation = MediaInformation(), via: String? = nil, request: String? = nil
    ) async throws(HostError) -> String {
        var options = Self.options(others, application, media, via)
        options["request"] = request.map(DBusValue.string)
        let reply = try await self.device(device, "Play", [.string(url.absoluteString), .options(options)])
        return reply.first?.asString ?? ""
    }

    /// Takes control of the playback that another sender started on a device.
    ///
    /// - Returns: The session's object path.
    package func takeControl(of device: String) async throws(HostError) -> String {
        try await self.device(device, "TakeControl", [.options([:])]).first?.asString ?? ""
    }

    /// Plays the output of another program; see ``play(_:on:with:application:media:via:)``.
    ///
    /// - Parameters:
    ///   - stream: A readable descriptor. The daemon gets a copy; the caller keeps this one.
    ///   - samples: The format of samples without a header; `nil` if the stream has a header.
    ///   - latency: The latency to ask the device for; `nil` for the usual one.
    ///   - isLive: `true` to leave out what was written before playback; only with `samples`.
    package func play(
        stream: Int32, samples: SampleFormat?, on device: String, with others: [String]? = nil,
        media: MediaInformation = MediaInformation(), via: String? = nil, latency: RequestedLatency? = nil,
        isLive: Bool = false
    ) async throws(HostError) -> String {
        var options = Self.options(others, nil, media, via)
        if isLive { options["live"] = .boolean(true) }
        options["latency"] = latency.map { .double($0.seconds) }
        if let samples {
            options["sampleFormat"] = .string(samples.encoding.rawValue)
            options["sampleRate"] = .uint32(UInt32(clamping: samples.rate))
            options["channels"] = .uint32(UInt32(clamping: samples.channels))
        }
        let descriptor = DBusValue.fileDescriptor(DBusDescriptor(sending: stream))
        let reply = try await self.device(device, "PlayStream", [descriptor, .options(options)])
        return reply.first?.asString ?? ""
    }

    /// Shows a screen that another program captures; see ``play(_:on:with:application:media:via:)``.
    ///
    /// - Parameters:
    ///   - video: A socket of type `SOCK_SEQPACKET`, whose other end sends packets of video.
    ///   - sound: A socket of the same type for packets of sound.
    ///   - frameRate: Pictures a second at most.
    ///   - latency: The latency to ask the device for; `nil` for the usual one.
    package func play(
        video: Int32, sound: Int32, width: Int, height: Int, frameRate: Int, on device: String, media: MediaInformation,
        via: String? = nil, latency: RequestedLatency? = nil
    ) async throws(HostError) -> String {
        var options = Self.options(nil, nil, media, via)
        options["latency"] = latency.map { .double($0.seconds) }
        options["width"] = .uint32(UInt32(clamping: width))
        options["height"] = .uint32(UInt32(clamping: height))
        options["frameRate"] = .uint32(UInt32(clamping: frameRate))
        let sockets = [video, sound].map { DBusValue.fileDescriptor(DBusDescriptor(sending: $0)) }
        return try await self.device(device, "PlayScreen", sockets + [.options(options)]).first?.asString ?? ""
    }

    private static func options(
        _ others: [String]?, _ application: String?, _ media: MediaInformation, _ via: String?
    ) -> [String: DBusValue] {
        var options: [String: DBusValue] = [:]
        options["via"] = via.map(DBusValue.string)
        options["with"] = others.map { .array(of: "o", $0.map(DBusValue.objectPath)) }
        options["application"] = application.map(DBusValue.string)
        options["title"] = media.title.map(DBusValue.string)
        options["artist"] = media.artist.map(DBusValue.string)
        options["artwork"] = media.artworkURL.map(DBusValue.string)
        options["contentType"] = media.contentType.map(DBusValue.string)
        options["duration"] = media.duration.map(DBusValue.double)
        options["startPosition"] = media.startPosition.map(DBusValue.double)
        return options
    }

    package func setVolume(_ level: Double, device: String) async throws(HostError) {
        try await self.device(device, "SetVolume", [.double(level)])
    }

    package func changeVolume(by increments: Int32, device: String) async throws(HostError) {
        try await self.device(device, "ChangeVolume", [.int32(increments)])
    }

    package func setMuted(_ isMuted: Bool, device: String) async throws(HostError) {
        try await self.device(device, "SetMuted", [.boolean(isMuted)])
    }

    /// Adds a device to the group of `other`.
    package func join(_ device: String, _ other: String) async throws(HostError) {
        try await self.device(device, "Join", [.objectPath(other), .options([:])])
    }

    /// Removes a device from its group. The others continue to play.
    package func leave(_ device: String) async throws(HostError) { try await self.device(device, "Leave", []) }

    /// Sets the volume of a device's group, in proportion.
    package func setGroupVolume(_ level: Double, device: String) async throws(HostError) {
        try await self.device(device, "SetGroupVolume", [.double(level)])
    }

    package func changeGroupVolume(by increments: Int32, device: String) async throws(HostError) {
        try await self.device(device, "ChangeGroupVolume", [.int32(increments)])
    }

    package func setGroupMuted(_ isMuted: Bool, device: String) async throws(HostError) {
        try await self.device(device, "SetGroupMuted", [.boolean(isMuted)])
    }

    package func command(_ command: PlaybackCommand, session: String) async throws(HostError) {
        let value: DBusValue
        do {
            value = try DBusDictionaryEncoder().encode(command)
        } catch {
            throw HostError(.invalidArgument, "The command cannot be sent: \(FailureReason.text(of: error))")
        }
        try await call(session, interface: HostNames.sessionInterface, "Command", [value])
    }

    package func stop(_ session: String) async throws(HostError) {
        try await call(session, interface: HostNames.sessionInterface, "Stop", timeout: Self.patience)
    }

    /// Routes an app to a device, and pairs with the device if necessary.
    ///
    /// - Parameter application: Its identifier or name; empty for the matching app that registered last.
    /// - Returns: Whether the app accepted it, the app's name, and the problems in the app all the same.
    package func route(
        _ device: String, application: String
    ) async throws(HostError) -> (isHandled: Bool, application: String, problem: String?) {
        let reply = try await manager("Route", device, application)
        let problem = reply.count > 2 ? reply[2].asString.flatMap { $0.isEmpty ? nil : $0 } : nil
        return (reply.first?.asBool ?? false, reply.count > 1 ? reply[1].asString ?? application : application, problem)
    }

    /// Reports a problem in this app about a device that it is routed to.
    package func reportProblem(_ problem: String, device: String) async throws(HostError) {
        _ = try await manager("ReportProblem", device, problem)
    }

    /// Ends a route; with an empty identifier those of all apps.
    ///
    /// - Returns: The names of the apps.
    package func unroute(_ device: String, application: String) async throws(HostError) -> [String] {
        try await manager("Unroute", device, application).last?.asArray?.compactMap(\.asString) ?? []
    }

    private func manager(
        _ method: String, _ device: String, _ text: String
    ) async throws(HostError) -> [DBusValue] {
        try await call(
            HostNames.rootPath, interface: HostNames.managerInterface, method,
            [.objectPath(device), .string(text)], timeout: Self.patience)
    }

    package func quit() async throws(HostError) {
        try await call(HostNames.rootPath, interface: HostNames.managerInterface, "Quit")
    }

    /// Asks the daemon to exit without ending playback, so that another one can take over.
    package func handOver(within limit: Duration) async throws(HostError) {
        try await call(HostNames.rootPath, interface: HostNames.managerInterface, "HandOver", timeout: limit)
    }

    @discardableResult
    private func device(
        _ path: String, _ member: String, _ arguments: [DBusValue]
    ) async throws(HostError) -> [DBusValue] {
        try await call(path, interface: HostNames.deviceInterface, member, arguments, timeout: Self.patience)
    }
}

extension DBusValue {
    /// Returns the values as `a{sv}`.
    package static func options(_ values: [String: DBusValue]) -> DBusValue {
        .dictionary(
            key: "s", value: "v",
            Dictionary(uniqueKeysWithValues: values.map { (.string($0.key), DBusValue.variant($0.value)) }))
    }
}
