import Foundation
import HostCore
import HostInterface
import LinkProtocol
package import Logging

/// Checks an extension before its installation: its manifest, its program, and the program's behavior.
package struct ExtensionCheck: Sendable {
    private let location: ExtensionLocation
    private let launcher: String?
    private let runsProgram: Bool
    private let logger: Logger

    /// - Parameters:
    ///   - launcher: See ``ConfinementLauncher``.
    ///   - runsProgram: Whether to start it, as the host would.
    package init(_ location: ExtensionLocation, launcher: String?, runsProgram: Bool = true, logger: Logger) {
        self.location = location
        self.launcher = launcher
        self.runsProgram = runsProgram
        self.logger = logger
    }

    package func run() async -> ExtensionCheckReport {
        var report = ExtensionCheckReport(bundle: location.bundle)
        let list = try? PropertyListFile.dictionary(at: location.bundle + "/Info.plist")
        report.findings += list.map(ManifestInspection.findings) ?? []
        let manifest: ExtensionManifest
        do throws(ExtensionManifestError) {
            manifest = try ExtensionManifest.read(bundle: location.bundle, executableFolder: location.programs)
        } catch {
            report.findings.insert(ExtensionFinding(error), at: 0)
            return report
        }
        report.identifier = manifest.identifier
        report.name = manifest.displayName
        report.program = manifest.executablePath
        let program = manifest.executablePath
        report.findings += ProgramInspection.findings(head: ProgramInspection.head(of: program), path: program)
        guard !report.hasErrors, runsProgram else { return report }
        let trial = await ExtensionTrial(manifest: manifest, launcher: launcher, logger: logger).run()
        take(trial, manifest, into: &report)
        if trial.usesCentral { report.findings += ManifestInspection.bluetoothFindings(list ?? [:]) }
        return report
    }

    private func take(
        _ trial: ExtensionTrial.Result, _ manifest: ExtensionManifest, into report: inout ExtensionCheckReport
    ) {
        report.findings += trial.findings
        report.browsedTypes = Set(trial.browses.map(\.type)).sorted()
        report.usesBluetooth = trial.usesBluetooth
        report.foundDevices = trial.devices
        guard let hello = trial.hello else { return }
        report.isGreeted = true
        report.findings += Self.findings(hello: hello, browses: trial.browses, manifest: manifest)
        let doesNothing = trial.browses.isEmpty && !trial.usesBluetooth && trial.devices.isEmpty
        if manifest.point == .mediaDevice, doesNothing, trial.findings.isEmpty {
            report.findings.append(
                ExtensionFinding(
                    .warning,
                    "It browses for nothing, and found nothing, within \(ExtensionTrial.patience) of being asked.",
                    remedy: "Start an NWBrowser, SSDPBrowser or CBCentralManager in startDeviceDiscovery()."))
        }
    }

    /// Compares the program's messages with the declarations of its manifest.
    static func findings(
        hello: LinkGreeting, browses: [BrowseRequest], manifest: ExtensionManifest
    ) -> [ExtensionFinding] {
        var findings: [ExtensionFinding] = []
        let declared = manifest.protocols.map(\.identifier)
        if manifest.point == .mediaDevice, !declared.contains(hello.protocolIdentifier) {
            findings.append(
                ExtensionFinding(
                    .error, key: "UTExportedTypeDeclarations",
                    "The program's protocolType is “\(hello.protocolIdentifier)”, and its manifest declares "
                        + "\(declared.map { "“\($0)”" }.joined(separator: ", ")).",
                    remedy: "Make UTTypeIdentifier and UTType(exportedAs:) the same."))
        }
        for browse in Set(browses).sorted(by: { $0.type < $1.type }) {
            let (key, types) =
                switch browse.kind {
                case .bonjour: ("NSBonjourServices", manifest.bonjourServices)
                case .ssdp: ("MDHostSSDPSearchTargets", manifest.ssdpSearchTargets)
                }
            guard !types.contains(browse.type) else { continue }
            let near = ManifestInspection.nearest(browse.type, Set(types)).map { " in place of \($0)" } ?? ""
            findings.append(
                ExtensionFinding(
                    .error, key: key, "It browses for \(browse.type), which \(key) does not declare.",
                    remedy: "Add \(browse.type)\(near) to \(key)."))
        }
        return findings
    }
}
