/// The methods of `org.mdhost.HostLink1`, which an extension calls on the host.
enum HostLinkMember: String, CaseIterable, Sendable {
    case hello = "Hello"
    case foundDevice = "FoundDevice"
    case updateDevices = "UpdateDevices"
    case lostDevice = "LostDevice"
    case discoveryFailed = "DiscoveryFailed"
    case volumeChanged = "VolumeChanged"
    case requestPairingCode = "RequestPairingCode"
    case activatedDevice = "ActivatedDevice"
    case failedToActivate = "FailedToActivate"
    case started = "Started"
    case playbackChanged = "PlaybackChanged"
    case sessionFailed = "SessionFailed"
    case sessionEnded = "SessionEnded"
    case receiveData = "ReceiveData"
    case reportQuality = "ReportQuality"
    case measureQuality = "MeasureQuality"
    case setCredential = "SetCredential"
    case setAdoptionToken = "SetAdoptionToken"
    case browse = "Browse"
    case cancelBrowse = "CancelBrowse"
    case announce = "Announce"
    case cancelAnnouncement = "CancelAnnouncement"
    case bluetooth = "Bluetooth"
    case central = "Central"
    case mediaSessionChanged = "MediaSessionChanged"

    /// Names and signatures of the arguments, in order.
    var arguments: [(String, String)] {
        switch self {
        case .hello: [("hello", "a{sv}")]
        case .foundDevice: [("device", "a{sv}")]
        case .updateDevices: [("devices", "aa{sv}")]
        case .lostDevice: [("device", "s")]
        case .discoveryFailed: [("code", "s"), ("message", "s")]
        case .volumeChanged: [("device", "s"), ("level", "d"), ("muted", "b")]
        case .requestPairingCode: [("device", "s"), ("session", "s"), ("challenge", "a{sv}")]
        case .activatedDevice: [("device", "s"), ("session", "s")]
        case .failedToActivate: [("device", "s"), ("session", "s"), ("code", "s"), ("message", "s")]
        case .started: [("session", "s"), ("application", "s"), ("state", "a{sv}")]
        case .playbackChanged: [("session", "s"), ("state", "a{sv}")]
        case .sessionFailed: [("session", "s"), ("code", "s"), ("message", "s")]
        case .sessionEnded: [("session", "s")]
        case .receiveData: [("data", "ay"), ("application", "s"), ("session", "s")]
        case .reportQuality: [("passed", "b"), ("session", "s")]
        case .measureQuality: [("session", "s"), ("quality", "a{sv}")]
        case .setCredential: [("device", "s"), ("secret", "ay")]
        case .setAdoptionToken: [("session", "s"), ("token", "ay")]
        case .browse: [("browser", "u"), ("request", "a{sv}")]
        case .cancelBrowse: [("browser", "u")]
        case .announce: [("announcement", "u"), ("request", "a{sv}")]
        case .cancelAnnouncement: [("announcement", "u")]
        case .bluetooth: [("request", "u"), ("order", "a{sv}")]
        case .central: [("manager", "u"), ("request", "a{sv}")]
        case .mediaSessionChanged: [("session", "s"), ("state", "a{sv}")]
        }
    }
}
