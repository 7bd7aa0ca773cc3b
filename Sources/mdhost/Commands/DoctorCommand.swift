import ArgumentParser
import Foundation
import HostClient
import HostDoctor
import HostExtensions
import HostInterface

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Find out why a device is not found or does not play.",
        discussion: """
            Checks the daemon, the extensions, every network interface and the devices that answer there, the firewall and \
            the folders; with DEVICE also why that one isn't there. Exit code 1 for a problem.
            """)

    @OptionGroup var common: CommonOptions

    @Argument(help: "Name, unique beginning of a name, or id of a device.", completion: .deviceNames)
    var device: String?

    @Flag(name: .shortAndLong, help: "Show passed checks, too.")
    var verbose = false

    @Option(
        help: "Write an archive for a bug report, without names, addresses, titles and private paths.",
        completion: .file())
    var bundle: String?

    /// `doctor --json`.
    private struct Report: Encodable {
        var findings: [Finding]
        var facts: Facts
    }

    func run() async throws {
        try await common.perform { output in
            let environment = ProcessInfo.processInfo.environment
            if let bundle { try Self.checkFile(bundle) }
            if !output.isJSON { output.notice("Checking for three seconds …") }
            let catalog = Self.catalog(environment)
            var examination = Examination()
            examination.bonjourTypes = Set(catalog.manifests.flatMap(\.bonjourServices))
            examination.searchTargets = Set(catalog.manifests.flatMap(\.ssdpSearchTargets))
            async let daemon = DaemonReading.read(device: device)
            var facts = await examination.facts(environment: environment)
            let reading = await daemon
            facts.daemon = reading.facts
            facts.device = reading.device
            facts.extensions = reading.extensions.isEmpty ? Self.extensions(catalog) : reading.extensions
            let report = Report(findings: Diagnosis.findings(facts), facts: facts)
            if let bundle { try write(report, names: reading.deviceNames + reading.mediaNames, to: bundle) }
            if output.isJSON { try output.json(report) } else { show(report, output) }
            if let bundle, !output.isJSON {
                output.notice("Wrote \(bundle). Read it before you send it: tar -xzOf \(bundle) | less")
            }
            if report.findings.contains(where: { $0.severity == .problem }) { throw ExitStatus.failure }
        }
    }

    /// - Throws: ``HostError`` `invalid-argument` for a folder.
    private static func checkFile(_ path: String) throws(HostError) {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
        guard path.hasSuffix("/") || exists && isFolder.boolValue else { return }
        let folder = path.hasSuffix("/") ? path : path + "/"
        throw HostError(
            .invalidArgument, "\(path) is a folder.", remedy: "Name a file, such as \(folder)mdhost-report.tar.gz.")
    }

    private static func catalog(_ environment: [String: String]) -> ExtensionCatalog {
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        return ExtensionCatalog.scan(ExtensionCatalog.standardFolders(environment: environment, executable: own))
    }

    /// Returns the installed extensions, for use when no daemon can be asked.
    private static func extensions(_ catalog: ExtensionCatalog) -> [ExtensionFacts] {
        catalog.manifests.map { ExtensionFacts(name: $0.displayName, state: "", path: $0.bundlePath) }
            + catalog.invalid.map {
                ExtensionFacts(
                    name: URL(fileURLWithPath: $0.path).lastPathComponent, state: "invalid-manifest",
                    lastError: $0.error.message, path: $0.path)
            }
    }

    // MARK: Output

    private func show(_ report: Report, _ output: Output) {
        let told = report.findings.filter { verbose || $0.severity > .fine }
        for finding in told {
            let (sign, style) = Self.sign(finding.severity)
            let area = DisplayText.pad(finding.area.rawValue, 11)
            output.line("\(style(sign)) \(Style.dim(area)) \(DisplayText.clean(finding.message))")
            if let remedy = finding.remedy { output.line("              → \(DisplayText.clean(remedy))") }
        }
        if !told.isEmpty { output.line("") }
        table(report.facts, output)
        let grave = report.findings.count { $0.severity >= .warning }
        output.line("")
        output.line(
            grave == 0
                ? Style.good("No problems found.") : Style.warning("\(grave) \(grave == 1 ? "problem" : "problems")."))
    }

    private func table(_ facts: Facts, _ output: Output) {
        let rows = facts.interfaces.filter { !$0.addresses.isEmpty }.map { interface in
            let trials = facts.firewall.trials.filter { $0.interface == interface.name }
            let heard = trials.isEmpty ? "–" : trials.allSatisfy { $0.heard == true } ? "arrives" : "blocked"
            return [
                Table.Cell(DisplayText.clean(interface.name), .heading), Table.Cell(interface.kind.rawValue, .dim),
                Table.Cell(heard, heard == "blocked" ? .bad : .good),
                Table.Cell("\(facts.mdns.answers[interface.name, default: 0]) services"),
                Table.Cell("\(facts.ssdp.answers[interface.name, default: 0]) devices"),
                Table.Cell(interface.addresses.joined(separator: ", "), .dim),
            ]
        }
        guard !rows.isEmpty else { return }
        let headings = ["INTERFACE", "KIND", "MULTICAST", "BONJOUR", "UPNP", "ADDRESSES"]
        let width = Terminal.output.isInteractive ? Terminal.output.width : .max
        for line in Table(headings: headings, rows: rows).lines(width: width, style: { $0($1) }) { output.line(line) }
    }

    private static func sign(_ severity: Finding.Severity) -> (String, Style) {
        switch severity {
        case .fine: ("✓", .good)
        case .note: ("·", .dim)
        case .warning: ("!", .warning)
        case .problem: ("✗", .bad)
        }
    }

    // MARK: The archive

    private func write(_ report: Report, names: [String], to path: String) throws(HostError) {
        let names = names + [NSUserName(), ProcessInfo.processInfo.hostName]
        var bundle = ReportBundle(redactor: Redactor(names: names, home: UserFolders().home ?? NSHomeDirectory()))
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            bundle.add(String(decoding: try encoder.encode(report), as: UTF8.self), as: "doctor.json")
        } catch {
            throw HostError(.internalFailure, "Couldn't write the report: \(FailureReason.text(of: error))")
        }
        if let log = try? HostFolders.log {
            bundle.addFile(log + ".1", as: "daemon.log.1")
            bundle.addFile(log, as: "daemon.log")
        }
        bundle.addFile("/etc/os-release", as: "os-release")
        bundle.add((try? String(contentsOfFile: "/proc/version", encoding: .utf8)) ?? "", as: "kernel")
        try bundle.write(to: path)
    }
}
