import Confinement
import Foundation
import Testing

@testable import HostConfinement
@testable import HostExtensions

@Suite struct ConfinementPolicyTests {
    private func manifest(_ change: (inout InfoPlist) -> Void = { _ in }) throws -> ExtensionManifest {
        let folder = try TemporaryFolder()
        var info = InfoPlist()
        change(&info)
        try folder.write("#!/bin/sh\n", to: "a.mdext/good", mode: 0o755)
        try folder.write(info.text, to: "a.mdext/Info.plist")
        return try ExtensionManifest.read(bundle: folder.path + "/a.mdext")
    }

    private func policy(_ manifest: ExtensionManifest) -> ConfinementPolicy {
        ConfinementPolicy(manifest, libraries: ["/opt/x/liby.so"], stateDirectory: "/state/own", parent: 7)
    }

    @Test func anExtensionGetsItsOwnAndTheSystem() throws {
        let manifest = try manifest()
        let policy = policy(manifest)
        let places = Dictionary(policy.places.map { ($0.path, $0.access) }) { first, _ in first }
        #expect(places[manifest.bundlePath] == .run && places[manifest.executablePath] == .run)
        #expect(places["/opt/x/liby.so"] == .run && places["/usr"] == .run && places["/etc/resolv.conf"] == .read)
        let devices: Set = ["/dev/null", "/dev/full"]
        #expect(Set(policy.places.filter { $0.access == .write }.map(\.path)) == devices.union(["/state/own"]))
        let whole: Set = ["/", "/etc", "/home", "/root", "/run", "/tmp", "/var", "/dev", "/sys", "/opt", "/state"]
        #expect(whole.isDisjoint(with: places.keys))
        #expect(policy.parent == 7 && !policy.listens && !policy.startsProcesses)
    }

    @Test func whatTheManifestAsksFor() throws {
        let policy = policy(
            try manifest {
                $0.extra = """
                    <key>MDHostListeningPorts</key><array><integer>8200</integer><integer>65535</integer></array>
                    <key>MDHostTakesReverseConnections</key><true/><key>MDHostRunsPrograms</key><true/>
                    """
            })
        #expect(policy.ports == [8200, 65535] && policy.takesConnections && policy.startsProcesses)
    }

    @Test(arguments: [
        ("MDHostListeningPorts", "<array><integer>80</integer></array>", "ports from 1024 to 65535"),
        ("MDHostListeningPorts", "<array><integer>70000</integer></array>", "ports from 1024 to 65535"),
        ("MDHostListeningPorts", "<integer>8200</integer>", "an array"),
        ("MDHostListeningPorts", "<array><string>8200</string></array>", "an integer"),
        ("MDHostTakesReverseConnections", "<string>yes</string>", "true or false"),
        ("MDHostRunsPrograms", "<integer>1</integer>", "true or false"),
    ])
    func wrongNeedsAreTold(key: String, value: String, words: String) throws {
        do throws(ExtensionManifestError) {
            let folder = try? TemporaryFolder()
            var info = InfoPlist()
            info.extra = "<key>\(key)</key>\(value)"
            _ = try? folder?.write("#!/bin/sh\n", to: "a.mdext/good", mode: 0o755)
            _ = try? folder?.write(info.text, to: "a.mdext/Info.plist")
            _ = try ExtensionManifest.read(bundle: (folder?.path ?? "") + "/a.mdext")
            Issue.record("\(value) was accepted")
        } catch {
            #expect(error.message.contains(key) && error.message.contains(words), "\(error.message)")
        }
    }

    @Test func librariesAreFoundFileByFile() throws {
        let program = FaultyBundle.buildFolder + "/FaultyExtension"
        let libraries = ProgramLibraries.find(of: program)
        #expect(libraries.contains { $0.hasSuffix("/libc.so.6") } == false, "the system's are the system's")
        if ELFObject(path: program)?.needed.contains("libswiftCore.so") == true {
            let runtime = try #require(ProgramLibraries.ownRuntimeFolder)
            #expect(libraries.contains { $0.hasSuffix("/libswiftCore.so") }, "\(libraries)")
            #expect(libraries.contains { $0.hasSuffix("/libFoundation.so") }, "\(libraries)")
            #expect(libraries.contains { $0.hasSuffix("/lib_FoundationICU.so") }, "also those of libraries")
            #expect(FileManager.default.fileExists(atPath: runtime + "/libswiftCore.so"))
        }
        #expect(Set(libraries).count == libraries.count)
        #expect(libraries.allSatisfy { !$0.hasSuffix("/") && ELFObject(path: $0)?.isLibrary == true })
    }

    @Test func whatIsNoProgramHasNoLibraries() throws {
        let folder = try TemporaryFolder()
        #expect(ProgramLibraries.find(of: try folder.write("#!/bin/sh\n", to: "script")).isEmpty)
        #expect(ProgramLibraries.find(of: folder.path + "/nothing").isEmpty)
        #expect(ProgramLibraries.find(of: folder.path).isEmpty)
    }

    /// Every byte in a bundle may be invalid.
    @Test func damagedProgramsAreRead() throws {
        let good =
            try FileHandle(forReadingFrom: URL(filePath: FaultyBundle.buildFolder + "/mdhost-confine"))
            .read(upToCount: 4096) ?? Data()
        let folder = try TemporaryFolder()
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var bytes = good.prefix(Int.random(in: 0...good.count, using: &generator))
            for _ in 0..<8 where bytes.count > 6 {
                bytes[Int.random(in: 6..<bytes.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            try bytes.write(to: URL(filePath: folder.path + "/damaged"))
            #expect(ProgramLibraries.find(of: folder.path + "/damaged").count <= 256)
        }
    }
}
