import HostInterface

/// The TCP ports files may be served on: any free one, or a fixed range a firewall rule can name.
package struct FilePorts: Sendable, Hashable {
    /// The environment variable, `8200-8209` or `8200`.
    package static let variable = "MDHOST_FILE_PORTS"
    package static let any = FilePorts(range: nil)

    /// `nil`: the system chooses.
    package let range: ClosedRange<Int>?

    private init(range: ClosedRange<Int>?) { self.range = range }

    /// - Throws: ``HostError`` `invalid-argument` for anything but one port or a range of 1 to 65535.
    package init(_ text: String) throws(HostError) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard 1...2 ~= parts.count, let first = parts.first, let last = parts.last, first <= last,
            (1...65535).contains(first), (1...65535).contains(last)
        else {
            throw HostError(
                .invalidArgument, "\(Self.variable) is “\(text)”; write a port or a range such as 8200-8209.")
        }
        range = first...last
    }

    /// That port and no other.
    init(port: Int) { range = port...port }

    /// In the order they are tried.
    var candidates: [Int] { range.map(Array.init) ?? [0] }
}
