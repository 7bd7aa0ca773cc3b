import Foundation
import SoundServers
import Testing

/// A speaker in another host: a program that accepts connections at a port, and the file of what it plays.
struct RawSpeaker {
    static let name = "Raw Room"

    let file: String
    private let receiver: RunningCommand
    private let announcement: RunningCommand

    /// - Parameter receiver: The program; it gets the port and the file.
    init(_ home: Household, port: String = "4712", _ receiver: [String]) async throws {
        let file = home.folder + "/received-\(UUID().uuidString)"
        self.file = file
        self.receiver = try RunningCommand([LabHost.script, "in", "b"] + receiver + [port, file])
        try await eventually("the speaker") { FileManager.default.fileExists(atPath: file) }
        announcement = try RunningCommand([
            LabHost.script, "in", "b", "avahi-publish", "--service", Self.name, "_raw-speaker._tcp",
            port,
        ])
        let announcement = announcement
        try await eventually("the announcement") { announcement.errors.contains("Established") }
    }

    /// Writes all that is received to the file, as it comes, and when to ``RecordedSamples``' file of times.
    static let recorder = [
        "/usr/bin/python3", "-u", "-c",
        """
        import socketserver, sys, time
        file = open(sys.argv[2], "wb", buffering=0)
        times = open(sys.argv[2] + ".times", "w", buffering=1)
        class Handler(socketserver.BaseRequestHandler):
            def handle(self):
                while data := self.request.recv(65536):
                    file.write(data)
                    print(time.monotonic_ns(), file.tell(), file=times)
        class Server(socketserver.ThreadingTCPServer):
            allow_reuse_address = daemon_threads = True
        Server(("", int(sys.argv[1])), Handler).serve_forever()
        """,
    ]

    var received: Data { FileManager.default.contents(atPath: file) ?? Data() }

    func stop() async {
        await announcement.stop()
        await receiver.stop()
    }

    /// Runs `body` with the extension `examples/raw-speaker`, a speaker, and a desktop.
    static func open(
        _ kind: SoundDesktop.Kind = .pipeWire, _ body: (Household, SoundDesktop, RawSpeaker) async throws -> Void
    ) async throws {
        try await Product.SinkTests().open(kind) { home, desktop in
            try home.install("RawSpeaker", of: "examples/raw-speaker")
            let speaker = try await RawSpeaker(home, RawSpeaker.recorder)
            let result: Result<Void, any Error>
            do { result = .success(try await body(home, desktop, speaker)) } catch { result = .failure(error) }
            await speaker.stop()
            try result.get()
        }
    }
}

extension Household {
    /// Installs the extension of an example, which is built along with the tests.
    func install(_ name: String, of example: String) throws {
        let bundle = folder + "/data/mdhost/extensions/\(name).mdext"
        try FileManager.default.createDirectory(atPath: bundle, withIntermediateDirectories: true)
        try ProgramCopy.make(of: PrivateDaemon.programs + "/" + name, at: bundle + "/" + name)
        try FileManager.default.copyItem(
            atPath: "\(example)/Sources/\(name)/\(name).mdext/Info.plist", toPath: bundle + "/Info.plist")
    }
}
