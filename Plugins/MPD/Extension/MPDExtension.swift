import MPDProtocol
import PlaybackKit
import StoredValues

/// The extension for MPD servers (Music Player Daemon, and Mopidy's MPD frontend), which play URLs by themselves.
@main
final class MPDExtension: PlayerExtension {
    let protocolType = UTType(exportedAs: "org.mdhost.protocol.mpd")
    let supportsSimultaneousSessions = true
    private let timeouts: MPDTimeouts
    /// The identities of servers, so that a renamed server is the same device.
    private lazy var places = StoredValue(
        MPDPlaces(), folder: MediaDeviceRoutingManager.routingManager(for: self).stateDirectory, name: "places.json",
        log: log)
    lazy var players = PlayerController(MPDDevices(places: places, timeouts: timeouts), for: self)

    required convenience init() { self.init(timeouts: MPDTimeouts()) }

    init(timeouts: MPDTimeouts) { self.timeouts = timeouts }
}
