public import JSONValues

/// The devices of a group, from its reports. A value without I/O.
public struct CastGroup: Sendable, Hashable {
    public struct Member: Sendable, Hashable {
        /// The identifier in its announcement, see ``CastRecord/identity(_:instance:)``.
        public let identity: String
        public let name: String
        public let volume: CastVolume?
    }

    /// More are ignored.
    private static let most = 64

    public private(set) var members: [Member] = []

    public init() {}

    /// Processes a message in the namespace `multizone`.
    public mutating func received(_ json: JSON) {
        switch json["type"]?.string ?? json["responseType"]?.string {
        case "MULTIZONE_STATUS":
            members = (json["status"]?["devices"]?.array ?? []).prefix(Self.most).compactMap(Member.init)
        case "DEVICE_ADDED", "DEVICE_UPDATED":
            guard let member = json["device"].flatMap(Member.init) else { return }
            if let index = members.firstIndex(where: { $0.identity == member.identity }) {
                members[index] = member
            } else if members.count < Self.most {
                members.append(member)
            }
        case "DEVICE_REMOVED":
            guard let identity = json["deviceId"]?.string.map(CastRecord.identity) else { return }
            members.removeAll { $0.identity == identity }
        default: break
        }
    }
}

extension CastGroup.Member {
    init?(_ json: JSON) {
        guard let id = json["deviceId"]?.string, !id.isEmpty else { return nil }
        identity = CastRecord.identity(id)
        name = json["name"]?.string ?? id
        volume = json["volume"].flatMap(CastVolume.init)
    }
}
