import Foundation
import Testing

extension Product {
    /// `mdhost doctor` without problems, and with some.
    @Suite struct DoctorTests {
        private struct Report: Decodable {
            struct Finding: Decodable {
                var severity: String
                var code: String
                var message: String
                var remedy: String?
            }
            struct Facts: Decodable {
                struct Discovery: Decodable { var answers: [String: Int] }
                var mdns: Discovery
                var ssdp: Discovery
            }
            var findings: [Finding]
            var facts: Facts
        }

        @Test func aHealthyMachine() async throws {
            try await Household.open { home in
                let result = try await home.run("doctor", "--json")
                #expect(result.status == 0, "\(result)")
                let report: Report = try JSONLines.one(result.output)
                #expect(report.findings.allSatisfy { ["fine", "note"].contains($0.severity) }, "\(report.findings)")
                #expect(report.facts.mdns.answers["eth0", default: 0] >= 2, "both MPDs")
                #expect(report.facts.ssdp.answers["eth0", default: 0] >= 2, "both renderers")
                let told = try await home.succeed("doctor")
                #expect(told.contains("eth0") && told.contains("No problems found."), "\(told)")
            }
        }

        @Test func theReportTellsNothingOfThePerson() async throws {
            try await Household.open { home in
                let archive = home.folder + "/report.tar.gz"
                try await home.succeed("doctor", "--bundle", archive)
                var status = stat()
                #expect(lstat(archive, &status) == 0 && status.st_mode & 0o777 == 0o600)
                let text = try await Command.run(["/usr/bin/env", "tar", "-xzOf", archive]).output
                #expect(text.contains("\"findings\"") && text.contains("private-address-1"))
                for secret in ["10.77.0.", "fd77::", "Living Room", "Open Room"] {
                    #expect(!text.contains(secret), "\(secret)")
                }
                let refused = try await home.run("doctor", "--bundle", "/dev/null/report.tar.gz")
                #expect(refused.status == 1 && refused.errors.contains("cannot be written"), "\(refused)")
            }
        }

        @Test func aFirewallAndAMissingAvahiAreNamed() async throws {
            let host = try await LabHost.up("walled", plain: true)
            let rules = """
                add table inet t; add chain inet t in { type filter hook input priority 0; }; \
                add rule inet t in udp dport 1900 drop
                """
            let wall = try await Command.run(host.command(["nft", rules]))
            try #require(wall.status == 0, "\(wall)")
            try await PrivateDaemon.run(on: host) { daemon in
                let result = try await daemon.mdhost("doctor", "--json")
                #expect(result.status == 1, "\(result)")
                let report: Report = try JSONLines.one(result.output)
                for code in ["ssdp-blocked", "no-avahi"] {
                    let finding = report.findings.first { $0.code == code }
                    #expect(finding?.severity == "problem" && finding?.remedy?.isEmpty == false, "\(code): \(result)")
                }
                #expect(!report.findings.contains { $0.code == "mdns-blocked" || $0.code == "silence" }, "\(result)")
            }
            try await LabHost.down("walled")
        }
    }
}
