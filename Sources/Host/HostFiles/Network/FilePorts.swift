package import HostInterface

/// The TCP ports for serving files: any free port, or a fixed range for use in a firewall rule.
package struct FilePorts: Sendable, Hashable {
    /// The environment variable, `8200-8209` or `8200`.
    package static let variable = "MDHOST_FILE_PORTS"
    package static let any = FilePorts(range: nil)

    /// `nil`: the system chooses.
    package let range: ClosedRange<Int>?

    private init(range: ClosedRange<Int>?) { self.range = range }

    /// - Throws: ``HostError`` `invalid-argument` unless the text is a port or a range within 1 to 65535.
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

    /// Creates a value with a single port.
    init(port: Int) { range = port...port }

    /// The ports to try, in order.
    var candidates: [Int] { range.map(Array.init) ?? [0] }
}
