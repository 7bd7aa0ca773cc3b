import HostInterface

/// The sinks of apps' routes.
extension SoundSinks {
    /// Returns the sound server's internal name of the sink of a route.
    nonisolated func outputName(ofRoute route: String) -> String { server.outputName(of: Self.sink(ofRoute: route)) }

    /// Shows a sink for the sound of one app. It isn't stored, and stays until ``hideRoute(_:)``.
    ///
    /// - Parameters:
    ///   - route: The identifier of the route. The next daemon's sink of the same route has the same name, so that sound
    ///     servers put streams back on it.
    ///   - application: The identifier of the app, which owns the sessions.
    ///   - device: The identifier of the device.
    /// - Throws: ``HostError`` `no-such-device`, `not-supported`, `no-sound-server`.
    func showRoute(
        _ route: String, of application: String, named name: String, on device: String
    ) async throws(HostError) {
        let id = Self.sink(ofRoute: route)
        guard sinks[id] == nil, !isClosed else { return }
        let device = try await able(device)
        try await server.connect()
        put(
            SoundSink(
                id: id, route: SoundSink.Route(application: application, applicationName: name),
                record: SoundSinkRecord(
                    id: device.id, name: device.description.name, delay: sinks[device.id]?.shown?.delay)))
        sinks[id]?.take(device)
        await show(id)
    }

    func hideRoute(_ route: String) async { await drop(Self.sink(ofRoute: route)) }

    /// Removes the sinks that a daemon left in the sound server when it was killed.
    func removeRemains() async {
        // A connection does that first.
        try? await server.connect()
        if sinks.isEmpty { await server.rest() }
    }

    /// Only letters, digits and dashes, as sound servers want it.
    private static func sink(ofRoute route: String) -> String {
        "route-" + (route.split(separator: ":").last ?? "")
    }
}
