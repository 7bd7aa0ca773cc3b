import GoogleCastProtocol
import JSONValues

/// An app that a simulated device can start.
struct ReceiverApp: Sendable, Hashable {
    let name: String
    let namespaces: [String]

    static let all = [
        CastNames.mediaReceiver: ReceiverApp(name: "Default Media Receiver", namespaces: [CastNames.media]),
        "233637DE": ReceiverApp(name: "YouTube", namespaces: ["urn:x-cast:com.google.youtube.mdx", CastNames.media]),
        "0DE30EC0": ReceiverApp(name: "Echo", namespaces: ["urn:x-cast:org.mdhost.echo", CastNames.media]),
        "0DE30EC1": ReceiverApp(name: "Silence", namespaces: []),
        "85CDB22F": ReceiverApp(name: "Audio Mirroring", namespaces: [CastNames.streaming]),
        "0F5096E8": ReceiverApp(name: "Chrome Mirroring", namespaces: [CastNames.streaming]),
    ]
}

/// A device of a simulated group.
struct ReceiverMember: Sendable, Hashable {
    let id: String
    let name: String
    var level: Double
    var isMuted = false

    var json: JSON {
        [
            "deviceId": .string(id), "name": .string(name), "capabilities": 2052,
            "volume": ["level": .number(level), "muted": .bool(isMuted)],
        ]
    }
}

/// The devices of a group.
extension ReceiverMachine {
    mutating func multizone(_ type: String, _ json: JSON, _ link: Link) -> [Effect] {
        switch type {
        case "GET_STATUS":
            return [
                send(
                    [
                        "type": "MULTIZONE_STATUS", "requestId": json["requestId"] ?? 0,
                        "status": ["devices": .array(members.map(\.json)), "isMultichannel": false],
                    ], CastNames.multizone, to: link)
            ]
        // Not of Google: for tests, as people do it in Google's app.
        case "SIMULATE_LEAVING":
            guard let member = members.first(where: { $0.name == json["name"]?.string }) else { return [] }
            members.removeAll { $0 == member }
            return tell(["type": "DEVICE_REMOVED", "deviceId": .string(member.id)]) + averageLevel()
        case "SIMULATE_JOINING":
            guard let member = settings.members.first(where: { $0.name == json["name"]?.string }),
                !members.contains(where: { $0.id == member.id })
            else { return [] }
            members.append(member)
            return tell(["type": "DEVICE_ADDED", "device": member.json]) + averageLevel()
        default: return []
        }
    }

    /// A device of the group has another volume.
    mutating func memberChanged(_ id: String, level: Double, isMuted: Bool) -> [Effect] {
        guard let index = members.firstIndex(where: { $0.id == id }),
            (members[index].level, members[index].isMuted) != (level, isMuted)
        else { return [] }
        members[index].level = level
        members[index].isMuted = isMuted
        return tell(["type": "DEVICE_UPDATED", "device": members[index].json]) + averageLevel()
    }

    /// Moves the devices with the volume of the group, so that their differences stay.
    mutating func levelMembers() -> [Effect] {
        guard !members.isEmpty else { return [] }
        let difference = level - members.reduce(0) { $0 + $1.level } / Double(members.count)
        return members.indices.flatMap { index -> [Effect] in
            members[index].level = max(0, min(1, members[index].level + difference))
            members[index].isMuted = isMuted
            let member = members[index]
            return tell(["type": "DEVICE_UPDATED", "device": member.json])
                + [.setMember(member.id, level: member.level, isMuted: member.isMuted)]
        }
    }

    /// A member's volume, set by its group.
    mutating func follow(level: Double, isMuted: Bool) -> [Effect] {
        self.level = level
        self.isMuted = isMuted
        return linked(to: CastNames.platform).map { receiverStatus(to: $0, 0) }
            + [.show(.volume(level: level, isMuted: isMuted))]
    }

    private mutating func averageLevel() -> [Effect] {
        guard !members.isEmpty else { return [] }
        level = members.reduce(0) { $0 + $1.level } / Double(members.count)
        isMuted = members.allSatisfy(\.isMuted)
        return linked(to: CastNames.platform).map { receiverStatus(to: $0, 0) }
    }

    private func tell(_ payload: JSON) -> [Effect] {
        linked(to: CastNames.platform).map { send(payload, CastNames.multizone, to: $0) }
    }
}
