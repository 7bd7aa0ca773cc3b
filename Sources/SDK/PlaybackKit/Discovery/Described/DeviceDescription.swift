public import Foundation

/// A device's description of itself, which it serves at the address that its SSDP announcements contain.
public protocol DeviceDescription: Sendable, Equatable {
    /// The identifier of the device, as in `MediaOutputDevice/id`.
    var identifier: UUID { get }
    /// The unique device name (UDN) with its `uuid:` prefix, in any case. Announcements begin with it.
    var deviceName: String { get }
    /// The URL of the description, after redirections.
    var location: URL { get }
}
