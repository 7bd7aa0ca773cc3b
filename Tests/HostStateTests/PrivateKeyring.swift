import DBus
import Foundation
import Synchronization

/// A message bus and a keyring daemon of their own, in a folder of their own; both end with this object.
final class PrivateKeyring: Sendable {
    static let isInstalled = ["/usr/bin/dbus-daemon", "/usr/bin/gnome-keyring-daemon"]
        .allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    let address: String
    private let folder: String
    private let bus: Process
    private let daemon = Mutex<Process?>(nil)
    private let connection = DBusConnection(loop: DBusLoop(label: "keyring test"))

    init() async throws {
        folder = NSTemporaryDirectory() + "/mdhost-keyring-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        // No service folders, so that nothing is started by the bus itself.
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN" "">
            <busconfig><type>session</type><listen>unix:path=\(folder)/bus</listen><auth>EXTERNAL</auth>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
            <allow own="*"/></policy>
            </busconfig>
            """
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: folder + "/bus.conf"))
        bus = Process()
        bus.executableURL = URL(fileURLWithPath: "/usr/bin/dbus-daemon")
        bus.arguments = ["--config-file=\(folder)/bus.conf", "--nofork", "--nopidfile", "--print-address"]
        let output = Pipe()
        bus.standardOutput = output
        bus.standardError = FileHandle.nullDevice
        try bus.run()
        var lines = output.lines.makeAsyncIterator()
        address = await lines.next() ?? ""
        try await connection.open(address: address)
    }

    deinit {
        if let process = daemon.withLock({ $0 }) { kill(process.processIdentifier, SIGKILL) }
        kill(bus.processIdentifier, SIGKILL)
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts the daemon with an unlocked keyring and waits until it owns its name.
    func startDaemon() async throws {
        let owners = try await connection.signals(
            sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/gnome-keyring-daemon")
        process.arguments = ["--foreground", "--components=secrets", "--unlock"]
        process.environment = [
            "HOME": folder, "XDG_RUNTIME_DIR": folder, "XDG_DATA_HOME": folder + "/data", "PATH": "/usr/bin:/bin",
            "DBUS_SESSION_BUS_ADDRESS": address,
        ]
        let input = Pipe()
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("password".utf8))
        try input.fileHandleForWriting.close()
        daemon.withLock { $0 = process }
        for await signal in owners
        where signal.arguments.first?.asString == "org.freedesktop.secrets"
            && signal.arguments.last?.asString?.isEmpty == false
        { break }
    }

    /// Ends the daemon and waits until its name is free.
    func stopDaemon() async throws {
        let owners = try await connection.signals(
            sender: "org.freedesktop.DBus", interface: "org.freedesktop.DBus", member: "NameOwnerChanged")
        let process = daemon.withLock { daemon in
            defer { daemon = nil }
            return daemon
        }
        guard let process else { return }
        // Children of these threads start with every other signal blocked.
        kill(process.processIdentifier, SIGKILL)
        for await signal in owners
        where signal.arguments.first?.asString == "org.freedesktop.secrets"
            && signal.arguments.last?.asString?.isEmpty == true
        { break }
    }

    func lock() async throws {
        let alias = try await call("ReadAlias", [.string("default")])
        _ = try await call("Lock", [.array(of: "o", alias)])
    }

    private func call(_ member: String, _ arguments: [DBusValue]) async throws -> [DBusValue] {
        try await connection.call(
            "org.freedesktop.secrets", path: "/org/freedesktop/secrets", interface: "org.freedesktop.Secret.Service",
            member: member, arguments)
    }
}
