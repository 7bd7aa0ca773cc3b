import AVSystemRouting

/// Takes the messages of a data channel.
final class DataHandler: AVSystemRouteDataDelegate {
    struct NotText: Error {}

    func receive(_ data: Data) async throws {
        guard let text = String(data: data, encoding: .utf8) else { throw NotText() }
        print("The device says: \(text)")
    }
}
