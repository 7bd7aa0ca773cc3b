import AVSystemRouting

/// Keeps the messages that arrive.
actor DataHandler: AVSystemRouteDataDelegate {
    private(set) var messages: [Data] = []

    func receive(_ data: Data) async throws { messages.append(data) }
}
