/// The state and problems of SSDP, for troubleshooting.
package struct SSDPReport: Sendable, Hashable {
    /// Names of the interfaces in use, sorted.
    package var interfaces: [String] = []
    /// Known devices and services.
    package var items = 0
    package var datagrams = 0
    /// Datagrams that could not be read.
    package var malformed = 0
    /// Datagrams beyond a sender's share.
    package var limited = 0
    /// Advertisements beyond the bounds of the cache.
    package var refused = 0
    /// The operations that fail now (`listen to ff02::c on eth0`), and their errors.
    package var problems: [String: SSDPError] = [:]
}
