import MediaDevice

/// The screen of one session on its way to the display.
@MainActor
final class ScreenDelivery {
    private var tasks: [Task<Void, Never>] = []
    /// A Boolean value that indicates whether the display took everything.
    private(set) var isComplete = true

    /// Sends each picture once the display has taken the one before. Those that come meanwhile are left out by the source.
    func start(
        _ video: MediaVideoReader, to display: DisplayConnection, failed: @escaping @MainActor (any Error) -> Void
    ) {
        tasks.append(
            Task {
                for await frame in video {
                    do {
                        try await display.send(frame.accessUnit)
                    } catch {
                        isComplete = false
                        return failed(error)
                    }
                }
            })
    }

    /// Sends the sound. Without it the picture goes on.
    func start(_ sound: MediaSampleReader, to display: DisplayConnection) {
        tasks.append(
            Task {
                for await block in sound {
                    guard (try? await display.send(block.samples)) != nil else {
                        isComplete = false
                        return
                    }
                }
            })
    }

    func stop() {
        for task in tasks { task.cancel() }
    }
}
