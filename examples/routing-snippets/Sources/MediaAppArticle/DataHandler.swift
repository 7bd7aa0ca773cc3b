import AVSystemRouting

/// Takes the messages of the application on the device.
final class DataHandler: AVSystemRouteDataDelegate {
    nonisolated init() {}

    func receive(_ data: Data) async throws {
        print("Received \(data.count) bytes")
    }
}
