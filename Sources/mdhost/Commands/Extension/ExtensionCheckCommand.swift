import ArgumentParser
import Foundation
import HostConfinement
import HostExtensions
import HostInterface
import Logging

struct ExtensionCheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check", abstract: "Check an extension before you install it.",
        discussion: """
            Reads the manifest, looks at the program, runs it as the daemon would, and has it look for devices for two \
            seconds. Ends with 1 if there is an error.
            """)

    @OptionGroup var common: CommonOptions
    @OptionGroup var place: ExtensionPlace

    @Flag(help: "Don't run the program.")
    var noRun = false

    @Flag(help: "Show what the program prints.")
    var verbose = false

    func run() async throws {
        try await common.perform { output in
            var logger = Logger(label: "mdhost") { StreamLogHandler.standardError(label: $0) }
            logger.logLevel = verbose ? .debug : .critical
            let location = try place.location()
            let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
            let report = await ExtensionCheck(
                location, launcher: ConfinementLauncher.find(executable: own), runsProgram: !noRun, logger: logger
            ).run()
            if output.isJSON { try output.json(report) } else { show(report, output) }
            if report.hasErrors { throw ExitStatus.failure }
        }
    }

    private func show(_ report: ExtensionCheckReport, _ output: Output) {
        if let name = report.name, let identifier = report.identifier {
            output.line(Style.heading(DisplayText.clean(name)) + Style.dim("  \(identifier)"))
        }
        if report.isGreeted { output.line("✓ the program runs and introduces itself") }
        if !report.browsedTypes.isEmpty {
            output.line("✓ it browses for \(report.browsedTypes.map(DisplayText.clean).joined(separator: ", "))")
        }
        if report.usesBluetooth { output.line("✓ it looks for devices by Bluetooth") }
        if !report.foundDevices.isEmpty {
            output.line("✓ it found \(report.foundDevices.map(DisplayText.clean).joined(separator: ", "))")
        }
        for finding in report.findings {
            let word = finding.severity == .error ? Style.bad("error:") : Style.warning("warning:")
            output.line("\(word) \(DisplayText.clean(finding.message))")
            if let remedy = finding.remedy { output.line(Style.dim("       \(DisplayText.clean(remedy))")) }
        }
        if report.findings.isEmpty { output.line(Style.good("Nothing is wrong with it.")) }
    }
}

/// The extension a command is about.
struct ExtensionPlace: ParsableArguments {
    @Argument(
        help: "A NAME.mdext folder, or the folder of a package with one inside.", completion: .directory)
    var path = "."

    @Option(help: "The folder its program was built in, if not the package's .build.", completion: .directory)
    var programs: String?

    func location() throws(HostError) -> ExtensionLocation {
        try ExtensionLocation.find(path, programs: programs.map { URL(filePath: $0).standardizedFileURL.path })
    }
}
