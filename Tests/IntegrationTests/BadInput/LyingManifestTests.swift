import Foundation
import Testing

extension BadInput {
    /// Extensions whose manifest lies, and programs that are no extensions.
    @Suite struct LyingManifestTests {
        /// One bundle: the fault, and the stable part of the message.
        private static let lies: [(name: String, spoil: @Sendable (BundleMaker) throws -> Void, sentence: String)] = [
            (
                "wrong-point", { $0.plist["point"] = "com.apple.widget-extension" },
                "is “com.apple.widget-extension”; only"
            ),
            ("no-program", { $0.plist["program"] = "nothing" }, "names a program that does not exist"),
            ("traversal", { $0.plist["program"] = "../../../../bin/sh" }, "must be a file name without a path"),
            ("not-executable", { try $0.write("text", to: "program", mode: 0o644) }, "which is not an executable file"),
            (
                "folder-program",
                {
                    try $0.makeFolder("folder"); $0.plist["program"] = "folder"
                }, "is not an executable file"
            ),
            ("nested", { $0.text = "<plist>" + String(repeating: "<array>", count: 100_000) }, "nests too deeply"),
            ("huge", { $0.text += String(repeating: " ", count: 2 << 20) }, "is larger than 1048576 bytes"),
            (
                "wrong-type",
                { $0.text.replace("<string>org.example.wrong-type</string>", with: "<integer>7</integer>") },
                "must be a string"
            ),
            (
                "no-identifier", { $0.text.replace("<key>CFBundleIdentifier</key>", with: "<key>X</key>") },
                "CFBundleIdentifier is missing"
            ),
            ("hostile-identifier", { $0.plist["identifier"] = "../../evil" }, "must be 1 to 200 letters"),
            ("binary", { $0.text = "bplist00\u{0}\u{1}" }, "is not an XML property list"),
            ("truncated", { $0.text = String($0.text.prefix($0.text.count / 2)) }, "is not an XML property list"),
            (
                "bomb",
                {
                    $0.text.replace(
                        "<plist", with: "<!DOCTYPE p [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><plist")
                    $0.plist["name"] = "&b;"
                }, "Info.plist"
            ),
            ("twin", { $0.plist["identifier"] = "org.mdhost.good-twin" }, "which"),
        ]

        @Test func everyLieIsToldAndHarmsNobody() async throws {
            let folder = try BundleFolder()
            try folder.bundle("a-good-twin") { $0.plist["identifier"] = "org.mdhost.good-twin" }
            for lie in Self.lies { try folder.bundle(lie.name, lie.spoil) }
            try folder.folder("empty.mdext")
            try await PrivateDaemon.run(extensions: folder.path) { daemon in
                let result = try await daemon.mdhost("extension", "list", "--json")
                let all = try #require(result.json as? [[String: Any]])
                for lie in Self.lies {
                    let entry = all.first { ($0["path"] as? String)?.hasSuffix("/\(lie.name).mdext") == true }
                    #expect(entry?["state"] as? String == "invalid-manifest", "\(lie.name): \(entry ?? [:])")
                    let sentence = entry?["lastError"] as? String ?? ""
                    #expect(sentence.contains(lie.sentence), "\(lie.name): \(sentence)")
                    print("SHOWN \(lie.name): \(sentence)")
                }
                let others = all.filter { ($0["path"] as? String)?.contains(folder.path) == false }
                #expect(
                    others.count == PrivateDaemon.ownExtensions
                        && others.allSatisfy { $0["state"] as? String == "idle" }, "\(others)")
                let table = try await daemon.mdhost("extension", "list")
                #expect(table.status == 0 && table.output.contains("invalid-manifest"))
            }
        }

        /// Programs that cannot speak, in the order crash, silence, garbage, no program of this kind.
        @Test func programsThatMisbehaveAreContained() async throws {
            let folder = try BundleFolder()
            let faults = ["crash-at-once", "exit-at-once", "silent", "garbage", "wrong-version"]
            for fault in faults {
                try folder.bundle(fault) {
                    // Beside the script: programs elsewhere are not for extensions to run.
                    try $0.copy(PrivateDaemon.programs + "/FaultyExtension", to: "FaultyExtension")
                    try $0.write(
                        "#!/bin/sh\nMDHOST_FAULT=\(fault) exec \"${0%/*}/FaultyExtension\"\n", to: "program",
                        mode: 0o755)
                }
            }
            try folder.bundle("no-interpreter") { try $0.write("#!/nowhere/at/all\n", to: "program", mode: 0o755) }
            try folder.bundle("not-a-program") { try $0.write("\u{7F}ELF nothing", to: "program", mode: 0o755) }
            // The resources held with only the valid extensions.
            var before = Footprint()
            try await PrivateDaemon.run(watching: true) { daemon in before = try await daemon.settledFootprint() }
            try await PrivateDaemon.run(extensions: folder.path) { daemon in
                let watch = try daemon.start(["discover", "--watch", "--json"])
                func entry(_ name: String) async throws -> [String: Any] {
                    try await daemon.list("extensions")
                        .first { ($0["path"] as? String)?.hasSuffix("/\(name).mdext") == true } ?? [:]
                }
                for name in faults + ["no-interpreter", "not-a-program"] {
                    try await eventually("the trouble with \(name)", within: .seconds(20)) {
                        try await entry(name)["lastError"] != nil
                    }
                    let found = try await entry(name)
                    print("SHOWN \(name): \(found["state"] ?? ""), \(found["lastError"] ?? "")")
                }
                try await eventually("the quarantine", within: .seconds(20)) {
                    try await entry("crash-at-once")["state"] as? String == "quarantined"
                }
                for name in ["MPD", "DLNA"] {
                    let good = try await daemon.list("extensions").first { $0["name"] as? String == name }
                    #expect(good?["state"] as? String == "running" && good?["restarts"] as? Int == 0)
                }
                await watch.stop()
                // The valid extensions linger; the invalid ones leave nothing behind.
                try await eventually("the end of the programs", within: .seconds(15)) {
                    let names = daemon.footprint.descriptors.keys
                    return !names.contains("FaultyExtension")
                        && daemon.footprint.children <= PrivateDaemon.ownExtensions
                }
                try await daemon.expectReturn(to: before, "faulty programs")
            }
        }
    }
}
