import Foundation
import HostInterface
import LinkProtocol
import Logging
import Testing

@testable import HostExtensions

@Suite(.timeLimit(.minutes(1)))
struct ExtensionCheckTests {
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    private static func check(
        _ info: InfoPlist, program: String? = "FaultyExtension", runs: Bool = false
    ) async throws -> ExtensionCheckReport {
        let folder = try TemporaryFolder()
        var info = info
        if let program { info.executable = "<string>\(program)</string>" }
        try folder.write(info.text, to: "it.mdext/Info.plist")
        let location = try ExtensionLocation.find(
            folder.path + "/it.mdext", programs: FaultyBundle.buildFolder)
        return await ExtensionCheck(
            location, launcher: FaultyBundle.launcher, runsProgram: runs, logger: logger
        ).run()
    }

    @Test func aGoodManifestHasNoFindings() async throws {
        let report = try await Self.check(InfoPlist())
        #expect(report.findings.isEmpty, "\(report.findings)")
        #expect(report.identifier == "org.example.good" && report.name == "Good" && !report.isGreeted)
    }

    @Test func keysNobodyReadsAreNamedWithWhatWasMeant() async throws {
        var info = InfoPlist()
        info.extra =
            "<key>NSBonjourService</key><array/><key>MDHostSSDPSearchTarget</key><array/><key>Colour</key><true/>"
        let report = try await Self.check(info)
        #expect(report.findings.map(\.severity) == [.warning, .warning, .warning] && !report.hasErrors)
        #expect(report.findings.map(\.key) == ["Colour", "MDHostSSDPSearchTarget", "NSBonjourService"])
        #expect(report.findings[1].remedy == "Did you mean MDHostSSDPSearchTargets?")
        #expect(report.findings[2].remedy == "Did you mean NSBonjourServices?")
        #expect(report.findings[0].remedy?.contains("Did you mean") == false)
    }

    @Test(arguments: [
        (
            "NSBonjourServices", "<array><string>_sixteen-letters_._tcp</string></array>",
            "A type is like _kitchen._tcp, with at most 15 characters between the underscore and the dot (RFC 6335)."
        ),
        ("CFBundleIdentifier", "", "Add CFBundleIdentifier to the Info.plist."),
        (
            "EXAppExtensionAttributes.EXExtensionPointIdentifier", "<string>com.apple.other</string>",
            "Set EXExtensionPointIdentifier to “com.apple.media-device-extension”."
        ),
        (
            "CFBundleExecutable", "<string>Missing</string>",
            "Build the program, and name it in CFBundleExecutable as its target in Package.swift is named."
        ),
    ])
    func errorsSayWhatToDo(_ key: String, _ value: String, _ remedy: String) async throws {
        var info = InfoPlist()
        info.executable = "<string>FaultyExtension</string>"
        info[key] = value
        let report = try await Self.check(info, program: nil)
        #expect(report.hasErrors && report.findings.first?.key == key)
        #expect(report.findings.first?.remedy == remedy, "\(report.findings)")
    }

    @Test func programsOfOtherMachinesAreNamed() throws {
        func head(_ machine: UInt8) -> [UInt8] {
            [0x7F] + Array("ELF".utf8) + [2, 1] + Array(repeating: 0, count: 12) + [machine, 0]
        }
        let foreign: UInt8 = ProgramInspection.findings(head: head(62), path: "p").isEmpty ? 183 : 62
        let finding = try #require(ProgramInspection.findings(head: head(foreign), path: "p").first)
        #expect(finding.severity == .error && finding.message.contains(foreign == 183 ? "aarch64" : "x86_64"))
        #expect(ProgramInspection.findings(head: Array("#!/bin/sh\n".utf8), path: "p").isEmpty)
        #expect(ProgramInspection.findings(head: Array("MZ".utf8), path: "p").first?.severity == .error)
        #expect(ProgramInspection.findings(head: [], path: "p").first?.severity == .error)
    }

    @Test func aRunTellsWhatDoesNotFitTheManifest() async throws {
        let good = try await Self.check(InfoPlist(), runs: true)
        #expect(good.isGreeted && !good.hasErrors, "\(good.findings)")
        var info = InfoPlist()
        info.types = info.types.replacing("org.example.sharing", with: "org.example.other")
        let report = try await Self.check(info, runs: true)
        let finding = try #require(report.findings.first { $0.key == "UTExportedTypeDeclarations" })
        #expect(finding.severity == .error && finding.message.contains("“org.example.sharing”"), "\(finding)")
    }

    @Test func bluetoothIsAWayOfLookingForDevices() async throws {
        var info = InfoPlist()
        info.types = info.types.replacing("org.example.sharing", with: "org.example.protocol.bluetooth-lamp")
        let report = try await Self.check(info, program: "BluetoothLamp", runs: true)
        #expect(report.usesBluetooth)
        #expect(report.findings.map(\.key) == ["NSBluetoothAlwaysUsageDescription"], "\(report.findings)")
        #expect(report.findings.first?.severity == .warning)
    }

    @Test func theReasonForBluetoothIsASentence() {
        #expect(ManifestInspection.bluetoothFindings(["NSBluetoothAlwaysUsageDescription": "For lamps."]).isEmpty)
        #expect(ManifestInspection.bluetoothFindings(["NSBluetoothAlwaysUsageDescription": " "]).count == 1)
    }

    @Test func aProgramThatIsNoExtensionIsNamed() async throws {
        let folder = try TemporaryFolder()
        var info = InfoPlist()
        info.executable = "<string>run</string>"
        try folder.write(info.text, to: "it.mdext/Info.plist")
        try folder.write("#!/bin/sh\nexit 7\n", to: "it.mdext/run", mode: 0o755)
        let location = try ExtensionLocation.find(folder.path + "/it.mdext")
        let report = await ExtensionCheck(location, launcher: FaultyBundle.launcher, logger: Self.logger).run()
        #expect(report.hasErrors && !report.isGreeted)
        #expect(report.findings.first?.message.contains("status 7") == true, "\(report.findings)")
    }

    @Test func undeclaredBrowsesAreErrorsWithTheNearestType() throws {
        let manifest = ExtensionManifest(
            identifier: "i", displayName: "n", version: "1", bundlePath: "/b", executablePath: "/b/p",
            protocols: [.init(identifier: "org.example.p", name: "P")], bonjourServices: ["_kitchn._tcp"])
        let hello = LinkGreeting(
            sdkVersion: "1", linkVersion: 1, protocolIdentifier: "org.example.p", supportsSimultaneousSessions: false)
        let findings = ExtensionCheck.findings(
            hello: hello,
            browses: [
                BrowseRequest(kind: .bonjour, type: "_kitchen._tcp"),
                BrowseRequest(kind: .ssdp, type: "upnp:rootdevice"),
            ], manifest: manifest)
        #expect(findings.map(\.key) == ["NSBonjourServices", "MDHostSSDPSearchTargets"])
        #expect(findings[0].remedy == "Add _kitchen._tcp in place of _kitchn._tcp to NSBonjourServices.")
        #expect(findings[1].remedy == "Add upnp:rootdevice to MDHostSSDPSearchTargets.")
    }

    @Test func aPackageIsSearchedForItsBundleAndItsNewestProgram() throws {
        let folder = try TemporaryFolder()
        var info = InfoPlist()
        info.executable = "<string>Tool</string>"
        try folder.write(info.text, to: "Sources/Tool/Tool.mdext/Info.plist")
        try folder.write("", to: "Package.swift")
        try folder.write("old", to: ".build/debug/Tool", mode: 0o755)
        try folder.write("new", to: ".build/release/Tool", mode: 0o755)
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 1)], ofItemAtPath: folder.path + "/.build/debug/Tool")
        let location = try ExtensionLocation.find(folder.path)
        #expect(location.bundle == folder.path + "/Sources/Tool/Tool.mdext")
        #expect(location.programs == folder.path + "/.build/release" && location.isPackage)

        try folder.write(info.text, to: "Sources/Other/Other.mdext/Info.plist")
        #expect(throws: HostError.self) { try ExtensionLocation.find(folder.path) }
        #expect(throws: HostError.self) { try ExtensionLocation.find(folder.path + "/.build") }
        #expect(throws: HostError.self) { try ExtensionLocation.find(folder.path + "/nowhere") }
    }

    @Test func installingReplacesTheOlderCopyAsAWhole() throws {
        let folder = try TemporaryFolder()
        var info = InfoPlist()
        info.executable = "<string>run</string>"
        try folder.write(info.text, to: "source/it.mdext/Info.plist")
        try folder.write("first", to: "build/run", mode: 0o755)
        func install() throws -> String {
            let manifest = try ExtensionManifest.read(
                bundle: folder.path + "/source/it.mdext", executableFolder: folder.path + "/build")
            return try ExtensionInstallation.install(manifest, into: folder.path + "/data/extensions")
        }
        let target = try install()
        try folder.write("left over", to: "data/extensions/it.mdext/junk")
        try folder.write("second", to: "build/run", mode: 0o755)
        #expect(try install() == target)
        #expect(try String(contentsOfFile: target + "/run", encoding: .utf8) == "second")
        #expect(try FileManager.default.contentsOfDirectory(atPath: target).sorted() == ["Info.plist", "run"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path + "/data/extensions") == ["it.mdext"])
        let catalog = ExtensionCatalog.scan([.init(path: folder.path + "/data/extensions")])
        #expect(catalog.manifests.map(\.identifier) == ["org.example.good"])
    }
}
