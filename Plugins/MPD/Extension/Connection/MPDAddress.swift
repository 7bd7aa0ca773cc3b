/// Where a server listens: one of the addresses it was announced with, and its port.
struct MPDAddress: Sendable, Hashable, CustomStringConvertible {
    /// Numeric address, IPv6 link-local with its scope (`fe80::1%eth0`), or a host name.
    let host: String
    let port: Int

    /// As people write it: `10.0.0.5:6600`, `[fe80::1%eth0]:6600`.
    var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
