import DBus
package import HostInterface

extension HostClient {
    /// The time limit for the daemon's answer, longer than a session's owner may take.
    private static let patience = Duration.seconds(10)
    private static let joiningPatience = Duration.seconds(40)

    /// Performs an action on the session at `path`, and returns when it is done.
    package func perform(_ action: MediaAction, media path: String) async throws(HostError) {
        let value: DBusValue
        do {
            value = try DBusDictionaryEncoder().encode(action)
        } catch {
            throw HostError(.invalidArgument, "The command cannot be sent: \(error.message)")
        }
        try await call(path, interface: HostNames.mediaInterface, "Perform", [value], timeout: Self.patience)
    }

    /// Sets the volume of a session.
    ///
    /// - Parameter level: The volume, `0.0...1.0`.
    package func setVolume(_ level: Double, media path: String) async throws(HostError) {
        try await call(path, interface: HostNames.mediaInterface, "SetVolume", [.double(level)], timeout: Self.patience)
    }

    /// Sets the volume of a device on which a remote session plays.
    ///
    /// - Parameter level: The volume, `0.0...1.0`.
    package func setVolume(_ level: Double, device: String, media path: String) async throws(HostError) {
        try await call(
            path, interface: HostNames.mediaInterface, "SetDeviceVolume", [.string(device), .double(level)],
            timeout: Self.patience)
    }

    /// Changes the volume of a device on which a remote session plays by a number of steps, negative for down.
    package func stepVolume(_ steps: Int32, device: String, media path: String) async throws(HostError) {
        try await call(
            path, interface: HostNames.mediaInterface, "StepDeviceVolume", [.string(device), .int32(steps)],
            timeout: Self.patience)
    }

    /// Returns the file and the MIME type of a session's artwork.
    ///
    /// - Parameter size: The greatest side in pixels.
    package func artwork(of path: String, size: Double) async throws(HostError) -> (file: String, type: String) {
        let reply = try await call(
            path, interface: HostNames.mediaInterface, "Artwork", [.double(size), .double(size)],
            timeout: .seconds(15))
        guard reply.count == 2, let file = reply[0].asString, let type = reply[1].asString else {
            throw HostError(.internalFailure, "The daemon's answer cannot be understood.")
        }
        return (file, type)
    }

    /// Returns a session's artwork as pixels, fitted into a square.
    ///
    /// - Parameter side: In pixels, at most ``PixelPicture/greatestSide``.
    package func artworkPixels(of path: String, side: Int) async throws(HostError) -> PixelPicture {
        let reply = try await call(
            path, interface: HostNames.mediaInterface, "ArtworkPixels", [.uint32(UInt32(clamping: side))],
            timeout: .seconds(15))
        guard reply.count == 3, let width = reply[0].asInt64, let height = reply[1].asInt64,
            let bytes = reply[2].asBytes,
            let picture = PixelPicture(width: Int(width), height: Int(height), bytes: bytes)
        else { throw HostError(.internalFailure, "The daemon's answer cannot be understood.") }
        return picture
    }

    /// Passes a server's push to the daemon, which stores it if it accepts it.
    ///
    /// - Parameter identifier: The `apns-id` of the request.
    package func deliverPush(
        token: [UInt8], topic: String, identifier: String, payload: [UInt8]
    ) async throws(HostError) -> PushOutcome {
        let reply = try await call(
            HostNames.nowPlayingPath, interface: HostNames.nowPlayingInterface, "DeliverPush",
            [.bytes(token), .string(topic), .string(identifier), .bytes(payload)], timeout: Self.patience)
        guard reply.count == 3, let word = reply[0].asString,
            let outcome = PushOutcome(word, since: reply[1].asInt64 ?? 0, reason: reply[2].asString ?? "")
        else { throw HostError(.internalFailure, "The daemon's answer to a push cannot be understood.") }
        return outcome
    }

    package func rotatePushTokens(of application: String) async throws(HostError) {
        try await call(
            HostNames.nowPlayingPath, interface: HostNames.nowPlayingInterface, "RotatePushTokens",
            [.string(application)])
    }

    package func pushToStartToken(of application: String) async throws(HostError) -> [UInt8] {
        let reply = try await call(
            HostNames.nowPlayingPath, interface: HostNames.nowPlayingInterface, "PushToStartToken",
            [.string(application)])
        return reply.first?.asBytes ?? []
    }

    /// Joins a broker, from which the daemon then receives pushes.
    package func join(_ settings: BrokerSettings) async throws(HostError) {
        var options: [String: DBusValue] = [:]
        options["password"] = settings.password.map { .string($0) }
        options["authority"] = settings.authority.map { .string($0) }
        options["certificate"] = settings.certificate.map { .string($0) }
        options["key"] = settings.key.map { .string($0) }
        try await call(
            HostNames.nowPlayingPath, interface: HostNames.nowPlayingInterface, "JoinBroker",
            [.string(settings.address), .properties(options)], timeout: Self.joiningPatience)
    }

    package func leaveBroker() async throws(HostError) {
        try await call(
            HostNames.nowPlayingPath, interface: HostNames.nowPlayingInterface, "LeaveBroker",
            timeout: Self.joiningPatience)
    }

    package func brokerStatus() async throws(HostError) -> BrokerStatus {
        let reply = try await call(
            HostNames.nowPlayingPath, interface: HostNames.nowPlayingInterface, "BrokerStatus")
        guard reply.count == 3, let state = reply[0].asString.flatMap(BrokerStatus.State.init) else {
            throw HostError(.internalFailure, "The daemon's answer cannot be understood.")
        }
        return BrokerStatus(state, address: reply[1].asString ?? "", reason: reply[2].asString ?? "")
    }

    package func setPausesOthers(_ value: Bool) async throws(HostError) {
        try await call(
            HostNames.nowPlayingPath, interface: HostNames.nowPlayingInterface, "SetPausesOthers", [.boolean(value)])
    }
}
