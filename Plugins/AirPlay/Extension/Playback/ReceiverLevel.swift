/// The volume of a receiver, as it was requested or reported. A receiver has none of its own while nothing plays: what is
/// requested then applies to the next playback.
struct ReceiverLevel: Equatable, Codable {
    /// The level after muting for a receiver whose own isn't known.
    static let moderate: Float = 0.25

    /// The last level that was requested or reported, `0...1`; `nil` before the first.
    private(set) var known: Float?
    private(set) var isMuted = false
    /// A Boolean value that indicates whether a request hasn't been sent yet.
    private(set) var isAwaited = false

    /// `false` for a level that somebody else wrote to the file.
    var isValid: Bool { known.map { (0...1).contains($0) } ?? true }

    mutating func set(_ level: Float) {
        known = level
        isMuted = false
        isAwaited = true
    }

    mutating func setMuted(_ isMuted: Bool) {
        self.isMuted = isMuted
        isAwaited = true
    }

    /// Takes the level that the receiver reported when playback started. While it is muted, that is the one of the muting.
    mutating func heard(_ level: Float) {
        if !isMuted || known == nil { known = level }
    }

    /// Returns the requested level once; `nil` to keep the receiver's.
    ///
    /// - Parameter isReported: A Boolean value that indicates whether the receiver reports its level next. A muted one whose
    ///   level isn't known is muted after that, so that it can be restored.
    mutating func takeInitial(isReported: Bool) -> Float? {
        defer { isAwaited = false }
        if isMuted { return known == nil && isReported ? nil : 0 }
        return isAwaited ? known : nil
    }
}
