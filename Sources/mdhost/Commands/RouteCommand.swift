import ArgumentParser
import HostClient
import HostInterface
import Synchronization

struct RouteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "route", abstract: "Send a running app's media to a device, or stop that with --off.",
        discussion: """
            The device is opened first, and paired with where it asks for a code; then the app is told, and decides what \
            plays. The app must use AVSystemRouting. If it gives the device no media, the sound that it plays by itself \
            is moved there, through PipeWire or PulseAudio, and back with --off.

            Exit codes: 0 routed, 1 the app declined or the device failed, 4 wrong code, 6 no running app fits, \
            130 cancelled; with --off, 2 no app is routed to the device.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: "Name, unique beginning of a name, or id of the device.", completion: .deviceNames)
    var device: String

    @Option(help: "The app's identifier or name; not needed while only one fits.")
    var app: String?

    @Flag(help: "Stop sending the app's media to the device.")
    var off = false

    private struct Result: Encodable { var device: String, applications: [String], routed: Bool, problem: String? }

    func run() async throws {
        try await common.perform { output in
            var connection = try await HostConnection()
            let device = try await connection.device(named: device)
            let name = DisplayText.clean(device.name)
            let applications: [String]
            let problems = Mutex<String?>(nil)
            if off {
                do throws(HostError) {
                    applications = try await connection.client.unroute(device.path, application: app ?? "")
                } catch {
                    guard error.code == .noSuchSession else { throw error }
                    throw HostError(
                        error.code, error.message, remedy: "`mdhost route \"\(name)\"` routes a running app to it.")
                }
            } else {
                let application = try await connection.answer {
                    [client = connection.client, path = device.path, app] () throws(HostError) in
                    let answer = try await client.route(path, application: app ?? "")
                    guard answer.isHandled else {
                        throw HostError(
                            .applicationDeclined, "\(DisplayText.clean(answer.application)) declined \(name).")
                    }
                    problems.withLock { $0 = answer.problem }
                    return answer.application
                }
                applications = [application]
            }
            let problem = problems.withLock { $0 }
            if output.isJSON {
                try output.json(Result(device: device.id, applications: applications, routed: !off, problem: problem))
            } else {
                for application in applications.map({ DisplayText.clean($0) }) {
                    output.line(off ? "\(application) no longer uses \(name)." : "Routed \(application) to \(name).")
                }
                if let problem {
                    output.notice("\(DisplayText.clean(applications[0])) reports: \(DisplayText.clean(problem))")
                }
            }
            await connection.close()
        }
    }
}
