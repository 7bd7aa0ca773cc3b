import AVSystemRouting

/// A media app in the article's spelling: waits for a person to pick a device.
@main
struct MediaApp {
    @MainActor
    static func main() async {
        let observer = RouteObserver()
        guard AVSystemRouteController.shared.addObserver(observer) else { return }
        defer { AVSystemRouteController.shared.removeObserver(observer) }
        print("Pick a device, then press Return to leave.")
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                _ = readLine()
                continuation.resume()
            }
        }
    }
}
