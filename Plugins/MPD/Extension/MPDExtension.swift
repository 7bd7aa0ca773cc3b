import MPDProtocol
import PlaybackKit

/// The extension for MPD servers (Music Player Daemon, and Mopidy's MPD frontend), which play URLs by themselves.
@main
final class MPDExtension: PlayerExtension {
    let protocolType = UTType(exportedAs: "org.mdhost.protocol.mpd")
    let supportsSimultaneousSessions = true
    private let timeouts: MPDTimeouts
    private lazy var memory = MPDMemory(
        folder: MediaDeviceRoutingManager.routingManager(for: self).stateDirectory)
    lazy var players = PlayerController(MPDDevices(memory: memory, timeouts: timeouts), for: self)

    required convenience init() { self.init(timeouts: MPDTimeouts()) }

    init(timeouts: MPDTimeouts) { self.timeouts = timeouts }
}
