import AVSystemRouting

/// A media app in the spelling of the 27.0 SDK: waits for a person to pick a device.
@main
struct MediaApp {
    @MainActor
    static func main() async {
        let address = CommandLine.arguments.dropFirst().first ?? "http://media.example.com/film.mp4"
        guard let url = URL(string: address) else { return print("\(address) is no address.") }
        guard AVSystemRouteController.supportedExtensionAvailable else {
            return print("No installed extension fits what this app's Info.plist declares.")
        }
        let observer = RouteObserver(playing: url)
        guard AVSystemRouteController.shared.addObserver(observer) else { return }
        defer { AVSystemRouteController.shared.removeObserver(observer) }
        print("Pick a device, then press Return to leave.")
        await returnKey()
    }

    /// Reading a terminal blocks: not on the main actor, where the playback is controlled.
    private static func returnKey() async {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                _ = readLine()
                continuation.resume()
            }
        }
    }
}
