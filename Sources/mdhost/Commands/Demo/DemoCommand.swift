public import ArgumentParser
import Avahi
import Foundation
import HostClient
import HostInterface
import Reachability
import ReferenceProtocol
import ReferenceReceiver

struct DemoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Run a simulated device to find, pair with and play to.",
        discussion: """
            The device exists on this computer alone, while this command runs, and remembers its pairings. \
            While it runs: space pauses, + and - change the volume, m mutes, s stops, y and n answer, q or Ctrl-C switches \
            it off.
            """)

    enum CodeLength: Int, ExpressibleByArgument {
        case four = 4
        case six = 6
    }

    @OptionGroup var common: CommonOptions

    @Option(help: "Name of the device.")
    var name = "Demo TV"

    @Option(help: "Length of its code: 4 or 6 digits.")
    var pin: CodeLength?

    @Option(help: "Require this password instead of a code.")
    var password: String?

    @Flag(help: "Require a key press here instead of a code.")
    var confirm = false

    @Flag(help: "Require no pairing.")
    var open = false

    @Option(help: "Its volume control: absolute, relative or none.")
    var volume = ReferenceAnnouncement.Volume.absolute

    @Flag(help: "Simulate a speaker instead of a television.")
    var speaker = false

    @Flag(help: "Don't allow it in groups.")
    var alone = false

    @Flag(help: "Don't take live sound and pictures, only URLs.")
    var noLive = false

    @Option(help: "Keep the live sound that it receives in this file: bare samples, 16 bit.")
    var record: String?

    @Option(help: "Keep the live pictures that it receives in this file: a bare H.264 stream.")
    var recordPictures: String?

    @Option(
        help: """
            Declare to be the same as a device of another protocol with this identifier: upnp:UUID, mac:ADDRESS.
            """)
    var same: [String] = []

    @Option(
        parsing: .upToNextOption,
        help: .init(
            "Failures to simulate: \(ReceiverSettings.Failure.allCases.map(\.rawValue).joined(separator: ", "))."))
    var fail: [ReceiverSettings.Failure] = []

    @Flag(help: "Simulate a Google Cast device.")
    var cast = false

    @Flag(help: "With --cast: simulate a group of two speakers, which are devices as well.")
    var group = false

    @Flag(help: "Announce it to the whole network, not to this computer alone.")
    var lan = false

    func validate() throws {
        guard [pin != nil, password != nil, confirm, open].count(where: \.self) <= 1 else {
            throw ValidationError("Use one of --pin, --password, --confirm and --open.")
        }
        guard cast || !group else { throw ValidationError("Use --group with --cast.") }
        let isReference = pin != nil || password != nil || confirm || alone || noLive || !same.isEmpty || !fail.isEmpty
        guard !cast || !isReference else {
            throw ValidationError(
                "With --cast, use only --name, --volume, --speaker, --group, --record, --record-pictures and --lan.")
        }
        guard password?.isEmpty != true else { throw ValidationError("The password is empty.") }
        let isName = (1...63).contains(name.utf8.count) && DisplayText.clean(name) == name
        guard isName else { throw ValidationError("A name is 1 to 63 bytes without control characters.") }
        if let wrong = same.first(where: { DeclaredIdentifier.normalised($0) == nil }) {
            throw ValidationError("“\(wrong)” isn't an identifier. Use upnp:UUID or mac:ADDRESS.")
        }
    }

    func run() async throws {
        try await common.perform { output in
            if cast { throw CastDemo.become(self, isJSON: output.isJSON) }
            let memory = try DemoMemory.take(name: name)
            defer { memory.release() }
            let inputs = DemoInputs()
            let receiver = ReferenceReceiver(settings(memory)) { inputs.show($0) }
            var screen = DemoScreen(name: name, isOnLAN: lan, isOpen: open, output: output)
            try await withThrowingTaskGroup(of: Void.self) { work in
                work.addTask {
                    await inputs.run("listen, or remember what it is") {
                        try await receiver.run { inputs.listens($0) }
                    }
                }
                work.addTask {
                    let address = lan ? DemoAddress.ofThisMachine ?? DemoAddress.loopback : DemoAddress.loopback
                    await inputs.run("serve its samples") {
                        try await SampleServer(address: address).run { port in
                            inputs.servesSamples("http://\(address):\(port)/film")
                        }
                    }
                }
                defer { work.cancelAll() }
                try await screen.run(inputs, receiver, interface: lan ? nil : "lo")
            }
        }
    }

    private func settings(_ memory: DemoMemory) -> ReceiverSettings {
        var settings = ReceiverSettings(name: name, memoryFile: memory.file)
        settings.authorization =
            if open {
                .none
            } else if confirm {
                .confirm
            } else if password != nil {
                .password
            } else {
                pin == .six ? .pin6 : .pin4
            }
        settings.password = password ?? ""
        settings.volume = volume
        settings.kind = speaker ? .speaker : .tv
        settings.canGroup = !alone
        settings.alsoKnownAs = same
        settings.failures = Set(fail)
        settings.takesLive = !noLive
        settings.soundFile = record
        settings.pictureFile = recordPictures
        settings.address = lan ? DemoAddress.any : DemoAddress.loopback
        return settings
    }
}

extension ReferenceAnnouncement.Volume: @retroactive ExpressibleByArgument {}
extension ReceiverSettings.Failure: @retroactive ExpressibleByArgument {}

/// The addresses a demo listens on.
enum DemoAddress {
    static let loopback = "127.0.0.1"

    /// Every address, including IPv6 if the machine has it.
    static var any: String {
        let addresses = try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8)
        return addresses?.isEmpty == false ? "::" : "0.0.0.0"
    }

    /// An IPv4 address that others on the network reach this machine by; `nil` without a network.
    static var ofThisMachine: String? {
        (try? InterfaceAddress.all())?.first { $0.isIPv4 && $0.isRunning && !$0.isLoopback }?.text
    }
}

/// The file a demo device remembers in, held by one demo at a time: two of one name are two devices.
struct DemoMemory {
    let file: String
    private let lock: Int32

    /// - Throws: ``HostError`` `storage-failed`.
    static func take(name: String) throws(HostError) -> DemoMemory {
        let state = try HostFolders.state()
        let folder = state + "/demo"
        try HostFolders.prepare(state)
        try HostFolders.prepare(folder)
        let base = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "demo"
        for number in 1...99 {
            let file = "\(folder)/\(base.prefix(200))\(number == 1 ? "" : "-\(number)")"
            let lock = Glibc.open(file + ".lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard lock >= 0 else {
                throw HostError(.storageFailed, "\(file).lock cannot be made: \(String(cString: strerror(errno))).")
            }
            if flock(lock, LOCK_EX | LOCK_NB) == 0 { return DemoMemory(file: file + ".json", lock: lock) }
            close(lock)
        }
        throw HostError(.storageFailed, "99 demos of this name run already.")
    }

    func release() { close(lock) }
}
