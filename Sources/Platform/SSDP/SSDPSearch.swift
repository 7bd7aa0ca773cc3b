/// An `M-SEARCH` request (UPnP Device Architecture 2.0, §1.3.2).
package struct SSDPSearch: Sendable, Hashable {
    /// The port that devices listen on, for searches by group and by address.
    package static let port = 1_900

    package var target: SSDPTarget
    /// Seconds within which devices spread their answers, `1...5`.
    package var maximumWait: Int

    package init(target: SSDPTarget, maximumWait: Int = 1) {
        self.target = target
        self.maximumWait = min(max(maximumWait, 1), 5)
    }

    /// Returns the datagram for one host. It still names the group: libupnp 1.8 doesn't answer otherwise.
    package func unicastDatagram(isIPv6: Bool) -> [UInt8] {
        datagram(host: (isIPv6 ? SSDPSocket.Group.ipv6LinkLocal : .ipv4).host)
    }

    /// The datagram for a group, `239.255.255.250:1900` or `[FF02::C]:1900`.
    package func datagram(host: String) -> [UInt8] {
        let lines = [
            "M-SEARCH * HTTP/1.1", "HOST: \(host)", "MAN: \"ssdp:discover\"", "MX: \(maximumWait)",
            "ST: \(target.text)", "USER-AGENT: Linux UPnP/2.0 mdhost/1.0", "", "",
        ]
        return Array(lines.joined(separator: "\r\n").utf8)
    }
}

/// The search times of a browse: frequent at first, because datagrams get lost and the first answer matters; then rare.
package struct SearchSchedule: Sendable, Hashable {
    /// Seconds after the start of the browse, ascending.
    package var times: [Duration]
    /// The time by which the first answers must have arrived, including those to the second search.
    package var settled: Duration

    /// Ends within 30 s, the last answers included.
    package static let standard = SearchSchedule(
        times: [.zero, .milliseconds(500), .seconds(2), .seconds(5), .seconds(10), .seconds(20), .seconds(28)],
        settled: .milliseconds(1_700))

    package init(times: [Duration], settled: Duration) {
        self.times = times
        self.settled = settled
    }

    /// The searches for a network that appeared while a browse was passive already.
    package var burst: [Duration] { Array(times.prefix { $0 <= .seconds(2) }) }
}
