/// The names of the protocol.
public enum CastNames {
    public static let connection = "urn:x-cast:com.google.cast.tp.connection"
    public static let heartbeat = "urn:x-cast:com.google.cast.tp.heartbeat"
    public static let authentication = "urn:x-cast:com.google.cast.tp.deviceauth"
    public static let receiver = "urn:x-cast:com.google.cast.receiver"
    public static let media = "urn:x-cast:com.google.cast.media"
    public static let multizone = "urn:x-cast:com.google.cast.multizone"
    public static let streaming = "urn:x-cast:com.google.cast.webrtc"
    /// The beginning of the names of Google; all others are those of apps.
    public static let google = "urn:x-cast:com.google."

    /// The device itself, as opposed to the app that runs on it.
    public static let platform = "receiver-0"
    /// Every sender that is connected.
    public static let everybody = "*"
    /// The app that plays a URL, the Default Media Receiver.
    public static let mediaReceiver = "CC1AD845"
    /// The apps that play live sound, the better one first: for sound alone, and for sound with a picture.
    public static let soundReceivers = ["85CDB22F", "0F5096E8"]
    /// The app that shows live video.
    public static let screenReceivers = ["0F5096E8"]
}
