public import Foundation

extension UUID {
    /// The namespace of textual device identifiers, `0536744D-E1AF-5A68-A682-886D0CD6223A`. Available on Linux only.
    ///
    /// It is the version-5 UUID of `mediaoutputdevice.mdhost.org` in the DNS namespace.
    public static let mediaOutputDeviceNamespace = UUID(version5: "mediaoutputdevice.mdhost.org", namespace: .dns)

    /// The namespace of domain names, `6BA7B810-9DAD-11D1-80B4-00C04FD430C8` (RFC 9562 §6.6).
    private static let dns = UUID(
        uuid: (0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8))

    /// Creates the version-5 UUID of a name, always the same for the same name. Available on Linux only.
    ///
    /// Use it for the identifier of a device whose protocol has a stable identifier that isn't a UUID.
    ///
    /// Source: RFC 9562 §5.5.
    ///
    /// - Parameters:
    ///   - name: The protocol's identifier, such as a serial number; never an address. Add a prefix such as `mpd:` if
    ///     two protocols could have the same identifier.
    ///   - namespace: The namespace that separates names of different origin.
    public init(version5 name: String, namespace: UUID = .mediaOutputDeviceNamespace) {
        let digest = SHA1.digest(of: withUnsafeBytes(of: namespace.uuid) { Array($0) } + Array(name.utf8))
        var bytes = Array(digest.prefix(16))
        bytes[6] = bytes[6] & 0x0f | 0x50
        bytes[8] = bytes[8] & 0x3f | 0x80
        self = bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
