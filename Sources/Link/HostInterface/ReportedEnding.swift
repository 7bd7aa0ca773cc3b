/// The way in which playback ended that didn't fail, as its device told.
package enum ReportedEnding: String, Sendable {
    /// The media played to its end.
    case finished
    /// A person stopped it on the device, or other media took its place there.
    case interrupted
}
