import DBus
import Foundation
import HostInterface

/// The extension's end of the link.
struct FaultyLink {
    static let device = "0A1B2C3D-0000-4000-8000-000000000001"
    private let fault: Fault
    private let connection: DBusConnection
    private let objects: DBusObjectServer

    init(_ fault: Fault) {
        self.fault = fault
        let loop = DBusLoop(label: "link")
        connection = DBusConnection(loop: loop)
        objects = DBusObjectServer(loop: loop, objectManagerPath: HostNames.extensionLinkPath)
    }

    func run() async throws {
        try await connection.openPeer(fileDescriptor: 3, role: .client)
        try await objects.add(path: HostNames.extensionLinkPath, [(interface, [:])])
        try await objects.attach(connection)
        if fault == .impatient { try await send("LostDevice", [.string(Self.device)]) }
        let greeting = try await hello()
        try await misbehave(greeting)
        await connection.waitUntilClosed()
        if fault == .stubborn { await FaultyExtension.forever() }
    }

    private func hello() async throws -> [String: DBusValue] {
        let values = try await connection.call(
            nil, path: HostNames.hostLinkPath, interface: HostNames.hostLinkInterface, member: "Hello",
            [
                .dictionary(
                    key: "s", value: "v",
                    [
                        .string("sdkVersion"): .variant(.string("0")),
                        .string("linkVersion"): .variant(.int64(fault == .wrongVersion ? 2 : 1)),
                        .string("protocolIdentifier"): .variant(.string("org.example.sharing")),
                        .string("supportsSimultaneousSessions"): .variant(.boolean(false)),
                    ])
            ])
        return values.first?.asDictionary ?? [:]
    }

    private func misbehave(_ greeting: [String: DBusValue]) async throws {
        switch fault {
        case .impatient:
            _ = try? await hello()
            try await report("introduced twice")
        case .malformed:
            for _ in 0..<3 { try await send("LostDevice", [.string("../../etc/passwd")]) }
            try await send("FoundDevice", [.dictionary(key: "s", value: "v", [:])])
            try await send("VolumeChanged", [.string(Self.device), .double(.nan), .boolean(false)])
            try await send("SessionEnded", [.string("a/b"), .string("")])
            try await send("DiscoveryFailed", [.string("Not A Slug"), .string("x")])
            try await send("NoSuchMethod", [])
            try await send("LostDevice", [.uint32(7)])
            try await send("VolumeChanged", [.string(Self.device), .double(7), .boolean(true)])
        case .huge:
            let device = DBusValue.string(Self.device)
            let entries = (0..<250_000).map { (DBusValue.string("\($0)"), DBusValue.variant(.boolean(true))) }
            let tooMany = DBusValue.dictionary(key: "s", value: "v", Dictionary(uniqueKeysWithValues: entries))
            let tooLong = DBusValue.string(String(repeating: "a", count: 100 << 20))
            try await send("FoundDevice", [tooMany])
            try await send("LostDevice", [tooLong])
            try await send("VolumeChanged", [tooLong, .double(0), .boolean(false)])
            try await send("VolumeChanged", [device, .double(1), .boolean(true)])
        case .unasked:
            // The link is quiet: sd-bus has nothing of its own to write now.
            for serial in 1_000..<2_000 { writeReply(to: UInt32(serial), isError: serial % 2 == 0) }
            try await report("survived")
        case .flood:
            while true { try await send("LostDevice", [.string(Self.device)]) }
        case .grandchild:
            let sleeper = Process()
            sleeper.executableURL = URL(fileURLWithPath: "/bin/sh")
            sleeper.arguments = ["-c", "trap '' TERM; while :; do sleep 1; done"]
            try sleeper.run()
            try await report("\(sleeper.processIdentifier)")
        case .chatty:
            let line = String(repeating: "x", count: 99)
            for _ in 0..<100_000 { print(line) }
            fflush(nil)
            try await report("printed")
        case .inspect:
            let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
                .filter { (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/" + $0)) != nil }
            let inherited = descriptors.compactMap(Int.init).filter { 0...3 ~= $0 || isInherited($0) }.sorted()
            let environment = ProcessInfo.processInfo.environment
            try await report(
                """
                descriptors=\(inherited)
                directory=\(FileManager.default.currentDirectoryPath)
                state=\(greeting["stateDirectory"]?.asString ?? "")
                generation=\(greeting["generation"]?.asInt64 ?? 0)
                name=\(greeting["name"]?.asString ?? "")
                group=\(getpgrp() == getpid())
                variables=\(environment.keys.sorted().joined(separator: ","))
                """)
        default: break
        }
    }

    /// Writes a reply in the wire format of the D-Bus specification, past sd-bus.
    private func writeReply(to call: UInt32, isError: Bool) {
        func word(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.littleEndian) { Array($0) } }
        var fields: [UInt8] = [5, 1, UInt8(ascii: "u"), 0] + word(call)
        if isError { fields += [4, 1, UInt8(ascii: "s"), 0] + word(5) + Array("org.a".utf8) + [0] }
        var message: [UInt8] =
            [UInt8(ascii: "l"), isError ? 3 : 2, 1, 1] + word(0) + word(call) + word(UInt32(fields.count))
        message += fields
        message += [UInt8](repeating: 0, count: (8 - message.count % 8) % 8)
        _ = message.withUnsafeBytes { write(3, $0.baseAddress, $0.count) }
    }

    /// Returns whether a descriptor existed before this program opened its own: those it opens are close-on-exec.
    private func isInherited(_ descriptor: Int) -> Bool {
        fcntl(Int32(descriptor), F_GETFD) & FD_CLOEXEC == 0
    }

    @MainActor private func work() {
        var start = timespec()
        var now = timespec()
        clock_gettime(CLOCK_MONOTONIC, &start)
        repeat {
            clock_gettime(CLOCK_MONOTONIC, &now)
        } while (now.tv_sec - start.tv_sec) * 1_000 + (now.tv_nsec - start.tv_nsec) / 1_000_000 < 500
    }

    private func report(_ text: String) async throws {
        try await send("DiscoveryFailed", [.string("report"), .string(text)])
    }

    private func send(_ member: String, _ arguments: [DBusValue]) async throws {
        try await connection.send(
            nil, path: HostNames.hostLinkPath, interface: HostNames.hostLinkInterface, member: member, arguments)
    }

    private var interface: DBusInterface {
        DBusInterface(
            HostNames.extensionLinkInterface,
            methods: [
                .async("Ping", in: [], out: []) { _ in
                    if fault == .hang { await FaultyExtension.forever() }
                    if fault == .busy { await work() }
                    return []
                },
                .async("StartDeviceDiscovery", in: [], out: []) { _ in
                    switch fault {
                    case .crashInCall: abort()
                    case .hang: await FaultyExtension.forever()
                    case .busy:
                        await work()
                        try await send("FoundDevice", [try DBusDictionaryEncoder().encode(Self.description)])
                    default: try await send("FoundDevice", [try DBusDictionaryEncoder().encode(Self.description)])
                    }
                    return []
                },
                .async("StopDeviceDiscovery", in: [], out: []) { _ in
                    if fault == .leave { exit(0) }
                    return []
                },
                .async("SetVolume", in: [("device", "s"), ("level", "d")], out: []) { call in
                    try await send("VolumeChanged", call.arguments + [.boolean(false)])
                    return []
                },
                .async("GetVolume", in: [("device", "s")], out: [("level", "d"), ("muted", "b")]) { _ in
                    [.double(0.25), .boolean(true)]
                },
                .async("MuteDevice", in: [("device", "s")], out: []) { _ in
                    throw HostError(.notSupported, "This device cannot be muted.").asDBusError
                },
            ])
    }

    static let description = DeviceDescription(
        id: device, name: "Speaker", capabilities: .urlPlayback, type: "speaker", volumeControl: .absolute,
        canMute: true, canGroup: false, supportsSimultaneousSessions: false, endpoints: ["10.0.0.5:80"], txt: [:])
}
