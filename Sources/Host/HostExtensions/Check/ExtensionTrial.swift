import Foundation
import HostCore
import HostInterface
import LinkProtocol
import Logging
import Synchronization

/// Runs an extension once, as the host would, and records its behavior.
struct ExtensionTrial {
    struct Result: Sendable, Hashable {
        var hello: LinkGreeting?
        var browses: [BrowseRequest] = []
        /// A Boolean value that indicates whether the extension used Bluetooth, which requires no entry in its
        /// manifest.
        var usesBluetooth = false
        /// Whether it made a central manager (`CoreBluetooth`).
        var usesCentral = false
        var devices: [String] = []
        var findings: [ExtensionFinding] = []
    }

    /// The time limit for the extension to begin browsing, or to find a device.
    static let patience = Duration.seconds(2)

    let manifest: ExtensionManifest
    let launcher: String?
    let logger: Logger

    func run() async -> Result {
        var result = Result()
        let folder = FileManager.default.temporaryDirectory.appending(path: "mdhost-check-\(UUID().uuidString)").path
        defer { Self.remove(folder) }
        let (messages, feed) = AsyncStream.makeStream(of: ExtensionMessage.self)
        var launch = ExtensionProcess.Launch(
            manifest: manifest, generation: 1, hostName: ProcessInfo.processInfo.hostName, stateDirectory: folder,
            environment: ProcessInfo.processInfo.environment)
        launch.launcher = launcher
        let process = ExtensionProcess(
            launch, logger: logger,
            receiver: LinkReceiver(greeted: { _ in }) { message, _ in
                feed.yield(message)
                return true
            })
        do throws(ExtensionLaunchError) {
            result.hello = try await process.start()
        } catch {
            result.findings.append(Self.finding(error, manifest))
            return result
        }
        if manifest.point == .mediaDevice { await tryDiscovery(process, messages, feed, &result) }
        let exit = await process.stop()
        if exit.hostReason != nil || exit.status != .exited(0) {
            result.findings.append(
                ExtensionFinding(.warning, "When the host closed the link, \(manifest.displayName) \(exit.clause)."))
        }
        return result
    }

    /// Removes the extension's folder. A program that it started may still run, and exchange parts for links.
    static func remove(_ folder: String) {
        let place = URL(filePath: folder)
        let parent = open(place.deletingLastPathComponent().path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard parent >= 0 else { return }
        defer { close(parent) }
        FolderRemoval.remove(place.lastPathComponent, in: parent)
    }

    private func tryDiscovery(
        _ process: ExtensionProcess, _ messages: AsyncStream<ExtensionMessage>,
        _ feed: AsyncStream<ExtensionMessage>.Continuation, _ result: inout Result
    ) async {
        do throws(HostError) {
            try await process.perform(.startDeviceDiscovery)
            await collect(messages, feed, into: &result)
        } catch {
            result.findings.append(
                ExtensionFinding(
                    .error, "Discovery does not start: \(error.message)",
                    remedy: "Look at what startDeviceDiscovery() does; it must return at once."))
        }
        do throws(HostError) {
            try await process.perform(.stopDeviceDiscovery)
        } catch {
            // After a failure this one tells nothing new.
            if result.findings.isEmpty {
                result.findings.append(
                    ExtensionFinding(
                        .error, "Discovery does not stop: \(error.message)",
                        remedy: "Look at what stopDeviceDiscovery() does; it must return at once."))
            }
        }
    }

    /// Collects messages until a browse has settled, a device was found, or the time is over.
    private func collect(
        _ messages: AsyncStream<ExtensionMessage>, _ feed: AsyncStream<ExtensionMessage>.Continuation,
        into result: inout Result
    ) async {
        let timer = Task {
            try? await Task.sleep(for: Self.patience)
            feed.finish()
        }
        defer { timer.cancel() }
        for await message in messages {
            switch message {
            case .browse(_, let request): result.browses.append(request)
            case .bluetooth: result.usesBluetooth = true
            case .central: (result.usesBluetooth, result.usesCentral) = (true, true)
            case .foundDevice(let device): result.devices.append(device.name)
            case .discoveryFailed(let error):
                result.findings.append(ExtensionFinding(.error, "Discovery failed: \(error.message)"))
            default: break
            }
        }
    }

    private static func finding(_ error: ExtensionLaunchError, _ manifest: ExtensionManifest) -> ExtensionFinding {
        switch error {
        case .notStarted(let reason): return ExtensionFinding(.error, reason + ".")
        case .unusable(let reason):
            return ExtensionFinding(.error, reason, remedy: "Build it again with the SDK of this mdhost.")
        case .ended(let exit):
            let conformance =
                switch manifest.point {
                case .mediaDevice: "MediaDeviceExtension"
                case .remoteMedia: "RemoteMediaSessionExtension"
                }
            let isSilent = exit.hostReason?.contains("no greeting") == true
            return ExtensionFinding(
                .error, "\(manifest.displayName) \(exit.clause).",
                remedy: isSilent
                    ? "Its @main type must conform to \(conformance), and its init() must return at once."
                    : "Run its tests; what it printed before is shown by `--verbose`.")
        }
    }
}
