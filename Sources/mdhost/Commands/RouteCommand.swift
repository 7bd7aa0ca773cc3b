import ArgumentParser
import HostClient
import HostInterface

struct RouteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "route", abstract: "Send a running app's media to a device, or back with --off.",
        discussion: "The app decides what plays; it must use AVSystemRouting and support the device's protocol.")

    @OptionGroup var common: CommonOptions

    @Argument(help: "Name, unique beginning of a name, or id of the device.", completion: .deviceNames)
    var device: String

    @Option(help: "The app's identifier; not needed while only one fits.")
    var app: String?

    @Flag(help: "Tell the app to leave the device.")
    var off = false

    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            let device = try await connection.device(named: device)
            guard try await connection.client.route(device.path, application: app ?? "", isOff: off) else {
                throw HostError(.sessionFailed, "The app did not \(off ? "leave" : "start playing on") \(device.name).")
            }
            if output.isJSON {
                struct Result: Encodable { var device: String, handled: Bool }
                try output.json(Result(device: device.id, handled: true))
            }
            await connection.close()
        }
    }
}
