/// The rights of a browser, each including those before it.
package enum PageRole: String, Sendable, Hashable, Codable, Comparable, CaseIterable {
    /// May see devices and playback.
    case look
    /// May also play, pair and control.
    case control
    /// May also change what is kept: devices, extensions, sinks and other browsers.
    case administrate

    package static func < (left: Self, right: Self) -> Bool { left.rank < right.rank }

    private var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
