/// The protocol version a server greets with: `OK MPD 0.23.5`.
public struct MPDVersion: Sendable, Hashable, Comparable, CustomStringConvertible {
    public let major: Int
    public let minor: Int
    public let patch: Int

    public init(_ major: Int, _ minor: Int, _ patch: Int = 0) {
        self.major = major
        self.minor = minor
        self.patch = patch
    }

    /// Reads a greeting line without its line feed; `nil` if it isn't one.
    public init?(greeting line: some StringProtocol) {
        guard line.hasPrefix("OK MPD ") else { return nil }
        let numbers = line.dropFirst(7).split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
        guard (2...4).contains(numbers.count), let major = numbers[0], let minor = numbers[1], major >= 0, minor >= 0
        else { return nil }
        self.init(major, minor, numbers.count > 2 ? numbers[2] ?? 0 : 0)
    }

    public static func < (left: MPDVersion, right: MPDVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }

    public var description: String { "\(major).\(minor).\(patch)" }
}
