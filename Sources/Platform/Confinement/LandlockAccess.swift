/// Rights of Landlock, by the version that brought them.
///
/// Source: `Documentation/userspace-api/landlock.rst` of Linux.
struct LandlockAccess: OptionSet, Sendable, Hashable {
    let rawValue: UInt64

    static let execute = Self(rawValue: 1 << 0)
    static let writeFile = Self(rawValue: 1 << 1)
    static let readFile = Self(rawValue: 1 << 2)
    static let readFolder = Self(rawValue: 1 << 3)
    static let removeFolder = Self(rawValue: 1 << 4)
    static let removeFile = Self(rawValue: 1 << 5)
    static let makeCharacterDevice = Self(rawValue: 1 << 6)
    static let makeFolder = Self(rawValue: 1 << 7)
    static let makeFile = Self(rawValue: 1 << 8)
    static let makeSocket = Self(rawValue: 1 << 9)
    static let makePipe = Self(rawValue: 1 << 10)
    static let makeBlockDevice = Self(rawValue: 1 << 11)
    static let makeLink = Self(rawValue: 1 << 12)
    /// To move or link between folders; version 2.
    static let refer = Self(rawValue: 1 << 13)
    /// Version 3.
    static let truncate = Self(rawValue: 1 << 14)
    /// `ioctl` on device files; version 5.
    static let controlDevice = Self(rawValue: 1 << 15)

    /// The rights that apply to a path that isn't a folder.
    static let ofFiles: Self = [.execute, .writeFile, .readFile, .truncate, .controlDevice]

    /// Returns all rights a version knows: a right that is handled here and not granted is refused.
    static func known(to version: Int) -> Self {
        switch version {
        case ..<1: []
        case 1: Self(rawValue: refer.rawValue - 1)
        case 2: Self(rawValue: truncate.rawValue - 1)
        case 3, 4: Self(rawValue: controlDevice.rawValue - 1)
        default: Self(rawValue: (controlDevice.rawValue << 1) - 1)
        }
    }

    init(rawValue: UInt64) { self.rawValue = rawValue }

    init(_ access: ConfinementPolicy.Place.Access) {
        switch access {
        case .read: self = [.readFile, .readFolder]
        case .run: self = [.readFile, .readFolder, .execute]
        case .write:
            self = [
                .readFile, .readFolder, .writeFile, .truncate, .removeFile, .removeFolder, .makeFile, .makeFolder,
                .makeSocket, .makePipe, .makeLink, .refer,
            ]
        }
    }
}

/// The restrictions of a version beside files.
struct LandlockScope: Sendable, Hashable {
    /// `LANDLOCK_ACCESS_NET_BIND_TCP`; connecting stays allowed.
    static let bind: UInt64 = 1
    /// `LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET` and `LANDLOCK_SCOPE_SIGNAL`.
    static let scopes: UInt64 = 3

    let network: UInt64
    let scopes: UInt64
    /// Bytes of the rule set's attributes the version knows.
    let size: Int

    init(version: Int) {
        network = version >= 4 ? Self.bind : 0
        scopes = version >= 6 ? Self.scopes : 0
        size = version >= 6 ? 24 : version >= 4 ? 16 : 8
    }
}
