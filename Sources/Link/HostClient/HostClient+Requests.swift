import DBus
import Foundation
import HostInterface

extension HostClient {
    /// Longer than the daemon's own limits, so that its error arrives and not the bus' time-out.
    private static let patience = Duration.seconds(420)

    /// Somebody looks for devices for as long as this client is connected, or until ``endLease(_:)``.
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
    /// - Parameter via: Which part of a device made of several, by protocol, extension, name or identifier; `nil` for all.
    package func pair(_ device: String, via: String? = nil) async throws(HostError) {
        try await self.device(device, "Pair", [.options(via.map { ["via": .string($0)] } ?? [:])])
    }
    /// Gives the device the person's own name; an empty one gives the device's back.
    package func rename(_ device: String, to name: String) async throws(HostError) {
        try await self.device(device, "Rename", [.string(name)])
    }

    /// - Parameters:
    ///   - address: `HOST`, `HOST:PORT`, `[IPV6]:PORT` or a URL.
    ///   - protocolName: Identifier or name of the protocol; `nil` for whatever an extension knows.
    /// - Returns: Object paths of the devices there.
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

    /// Makes one device of several; the first lends it its identifier and its name, and is preferred.
    ///
    /// - Returns: Its object path.
    package func merge(_ devices: [String]) async throws(HostError) -> String {
        let reply = try await call(
            HostNames.rootPath, interface: HostNames.managerInterface, "MergeDevices",
            [.array(of: "o", devices.map(DBusValue.objectPath)), .options([:])])
        return reply.first?.asString ?? ""
    }

    /// Takes a device apart that is made of several.
    ///
    /// - Returns: Object paths of those that are known now.
    package func split(_ device: String) async throws(HostError) -> [String] {
        let reply = try await call(
            HostNames.rootPath, interface: HostNames.managerInterface, "SplitDevice",
            [.objectPath(device), .options([:])])
        return reply.first?.asArray?.compactMap(\.asString) ?? []
    }

    package func forget(_ device: String) async throws(HostError) { try await self.device(device, "Forget", []) }

    /// - Parameters:
    ///   - others: Object paths of exactly those that play it too; `nil` for the devices that are used together with the
    ///     first already.
    ///   - via: Which part of a device made of several; `nil` for the one in use, or else the preferred one.
    /// - Returns: The session's object path.
    package func play(
        _ url: URL, on device: String, with others: [String]? = nil, application: String? = nil,
        media: MediaInformation = MediaInformation(), via: String? = nil
    ) async throws(HostError) -> String {
        let options = Self.options(others, application, media, via)
        let reply = try await self.device(device, "Play", [.string(url.absoluteString), .options(options)])
        return reply.first?.asString ?? ""
    }

    /// Plays what another program writes, see ``play(_:on:with:application:media:via:)``.
    ///
    /// - Parameters:
    ///   - stream: Readable; the daemon gets a descriptor of its own, the caller keeps this one.
    ///   - samples: What the stream holds where it has no header; `nil` where it tells itself.
    package func play(
        stream: Int32, samples: SampleFormat?, on device: String, with others: [String]? = nil,
        media: MediaInformation = MediaInformation(), via: String? = nil
    ) async throws(HostError) -> String {
        var options = Self.options(others, nil, media, via)
        if let samples {
            options["sampleFormat"] = .string(samples.encoding.rawValue)
            options["sampleRate"] = .uint32(UInt32(clamping: samples.rate))
            options["channels"] = .uint32(UInt32(clamping: samples.channels))
        }
        let descriptor = DBusValue.fileDescriptor(DBusDescriptor(sending: stream))
        let reply = try await self.device(device, "PlayStream", [descriptor, .options(options)])
        return reply.first?.asString ?? ""
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

    /// Has the device used together with what `other` is used for.
    package func join(_ device: String, _ other: String) async throws(HostError) {
        try await self.device(device, "Join", [.objectPath(other), .options([:])])
    }

    /// Takes the device out of its group; the others play on.
    package func leave(_ device: String) async throws(HostError) { try await self.device(device, "Leave", []) }

    /// Sets the level of everything the device is used together with, in proportion.
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
            throw HostError(.invalidArgument, "The command cannot be sent: \(error)")
        }
        try await call(session, interface: HostNames.sessionInterface, "Command", [value])
    }

    package func stop(_ session: String) async throws(HostError) {
        try await call(session, interface: HostNames.sessionInterface, "Stop", timeout: Self.patience)
    }

    /// Opens the device for an app, pairing where it asks for it, and tells the app.
    ///
    /// - Parameter application: Its identifier or name; empty for the one registered last that fits.
    /// - Returns: Whether the app took it, and the app's name.
    package func route(
        _ device: String, application: String
    ) async throws(HostError) -> (isHandled: Bool, application: String) {
        let reply = try await manager("Route", device, application)
        return (reply.first?.asBool ?? false, reply.last?.asString ?? application)
    }

    /// Ends what ``route(_:application:)`` began; of all apps that are routed there for an empty one.
    ///
    /// - Returns: The names of the apps.
    package func unroute(_ device: String, application: String) async throws(HostError) -> [String] {
        try await manager("Unroute", device, application).last?.asArray?.compactMap(\.asString) ?? []
    }

    private func manager(
        _ method: String, _ device: String, _ application: String
    ) async throws(HostError) -> [DBusValue] {
        try await call(
            HostNames.rootPath, interface: HostNames.managerInterface, method,
            [.objectPath(device), .string(application)], timeout: Self.patience)
    }

    package func quit() async throws(HostError) {
        try await call(HostNames.rootPath, interface: HostNames.managerInterface, "Quit")
    }

    /// Asks the daemon to leave without ending what plays, for another one to take it up.
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
    /// `a{sv}` of the given values.
    package static func options(_ values: [String: DBusValue]) -> DBusValue {
        .dictionary(
            key: "s", value: "v",
            Dictionary(uniqueKeysWithValues: values.map { (.string($0.key), DBusValue.variant($0.value)) }))
    }
}
