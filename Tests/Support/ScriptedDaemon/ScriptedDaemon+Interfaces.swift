import DBus
import HostInterface

// The interfaces of docs/dbus.md as far as clients use them.

extension ScriptedDaemon {
    nonisolated func managerInterface() -> DBusInterface {
        DBusInterface(
            HostNames.managerInterface,
            methods: [
                method(
                    "AcquireDiscoveryLease", [("options", "a{sv}")], out: [("lease", "o")],
                    reply: [.objectPath(HostNames.leasesPath + "/1")]),
                method("RegisterAgent", [("agent", "o")]),
                method("RegisterApplication", [("observer", "o"), ("declaration", "a{sv}")]),
                method("ReportProblem", [("device", "o"), ("problem", "s")]), method("Quit", []),
            ],
            properties: [
                DBusProperty("Version", "s"), DBusProperty("ProcessID", "u"), DBusProperty("Problems", "a(ss)"),
                DBusProperty("Settled", "b"),
            ])
    }

    nonisolated func deviceInterface() -> DBusInterface {
        DBusInterface(
            HostNames.deviceInterface,
            methods: [
                method("Activate", [("options", "a{sv}")]), method("Deactivate", []),
                method("Pair", [("options", "a{sv}")]), method("Forget", []),
                method(
                    "Play", [("url", "s"), ("options", "a{sv}")], out: [("session", "o")],
                    reply: [.objectPath(HostNames.sessionPath("1"))]),
                method("SetVolume", [("level", "d")]), method("ChangeVolume", [("increments", "i")]),
                method("SetMuted", [("muted", "b")]), method("OpenDataChannel", [], out: [("socket", "h")]),
            ],
            properties: [
                DBusProperty("Id", "s"), DBusProperty("Name", "s"), DBusProperty("Type", "s"),
                DBusProperty("Volume", "d"), DBusProperty("Muted", "b"), DBusProperty("Capabilities", "as"),
                DBusProperty("LastError", "(ss)"), DBusProperty("PlayingApplication", "(ss)"),
            ], signals: [DBusSignalDeclaration("DataReceived", [("data", "ay")])])
    }

    nonisolated func sessionInterface() -> DBusInterface {
        DBusInterface(
            HostNames.sessionInterface,
            methods: [
                method("Command", [("command", "a{sv}")]), method("Stop", []),
                method("OpenDataChannel", [], out: [("socket", "h")]),
            ],
            properties: [
                DBusProperty("Id", "s"), DBusProperty("Device", "o"), DBusProperty("State", "s"),
                DBusProperty("Error", "(ss)"), DBusProperty("Title", "s"), DBusProperty("Playback", "a{sv}"),
            ], signals: [DBusSignalDeclaration("DataReceived", [("data", "ay")])])
    }

    static let extensionInterface = DBusInterface(
        HostNames.extensionInterface,
        properties: [
            DBusProperty("Id", "s"), DBusProperty("Name", "s"), DBusProperty("Protocol", "s"),
            DBusProperty("State", "s"), DBusProperty("ExtensionPoint", "s"), DBusProperty("Restarts", "u"),
        ])

    nonisolated func nowPlayingInterface() -> DBusInterface {
        DBusInterface(
            HostNames.nowPlayingInterface,
            methods: [
                method(
                    "RegisterSession", [("handler", "o"), ("declaration", "a{sv}"), ("state", "a{sv}")],
                    out: [("session", "o")], reply: [.objectPath(HostNames.mediaSessionPath("app1"))])
            ])
    }

    nonisolated func mediaInterface() -> DBusInterface {
        DBusInterface(
            HostNames.mediaInterface,
            methods: [
                method("Update", [("state", "a{sv}")]), method("Withdraw", []),
                method("RequestApplicationPrimary", []), method("RequestSystemPrimary", []),
            ])
    }

    private nonisolated func method(
        _ name: String, _ arguments: [(String, String)], out: [(String, String)] = [], reply: [DBusValue] = []
    ) -> DBusMethod {
        .async(name, in: arguments, out: out) { [weak self] call in
            guard let self else { return reply }
            return try await self.perform(call, otherwise: reply)
        }
    }
}

extension ScriptedDaemon {
    static let managerValues: [String: DBusValue] = [
        "Version": .string("1.2.3"), "ProcessID": .uint32(4242), "Problems": .array(of: "(ss)", []),
        "Settled": .boolean(false),
    ]

    static func deviceValues(_ id: String, _ name: String) -> [String: DBusValue] {
        [
            "Id": .string(id), "Name": .string(name), "Type": .string("tv"), "Volume": .double(0.5),
            "Muted": .boolean(false), "Capabilities": .array(of: "s", [.string("url-playback")]),
            "LastError": .structure([.string(""), .string("")]),
            "PlayingApplication": .structure([.string(""), .string("")]),
        ]
    }

    static func sessionValues(_ id: String, _ device: String, _ playback: PlaybackState) throws -> [String: DBusValue] {
        [
            "Id": .string(id), "Device": .objectPath(HostNames.devicePath(device)), "State": .string("active"),
            "Error": .structure([.string(""), .string("")]), "Title": .string(playback.title ?? ""),
            "Playback": try DBusDictionaryEncoder().encode(playback),
        ]
    }

    static func extensionValues(
        _ name: String, _ identifier: String, _ state: String, _ point: String
    ) -> [String: DBusValue] {
        [
            "Id": .string(name), "Name": .string(name), "Protocol": .string(identifier), "State": .string(state),
            "Restarts": .uint32(3), "ExtensionPoint": .string(point),
        ]
    }
}
