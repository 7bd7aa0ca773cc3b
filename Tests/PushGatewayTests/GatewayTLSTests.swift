import Foundation
import HostInterface
import Logging
import Synchronization
import Testing

@testable import PushGateway

@Suite(.timeLimit(.minutes(1))) struct GatewayTLSTests {
    private final class Folder {
        let path = NSTemporaryDirectory() + "/mdhost-gateway-\(UUID().uuidString)"

        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    @Test func theCertificateIsRenewedWhileTheGatewayRuns() throws {
        let folder = try Folder()
        let certificates = GatewayCertificates(folder: folder.path)
        let date = Mutex(Date())
        let made = Mutex(0)
        let fails = Mutex(false)
        let tls = try GatewayTLS(
            make: { now throws(HostError) in
                if fails.withLock({ $0 }) { throw HostError(.storageFailed, "The disk is full.") }
                made.withLock { $0 += 1 }
                return try certificates.serverConfiguration(names: ["localhost"], now: now)
            }, now: { date.withLock { $0 } }, logger: logger)
        let first = tls.context()
        #expect(tls.context() === first)
        date.withLock { $0 += 366 * 86_400 }
        #expect(tls.context() === first)
        // A month before its end. Where no new one can be made the old one is used on, and it is tried again an hour later.
        date.withLock { $0 += 2 * 86_400 }
        fails.withLock { $0 = true }
        #expect(tls.context() === first)
        fails.withLock { $0 = false }
        #expect(tls.context() === first && made.withLock { $0 } == 1)
        date.withLock { $0 += 3_601 }
        let second = tls.context()
        #expect(second !== first && tls.context() === second && made.withLock { $0 } == 2)
    }

    /// Checked with an independent implementation.
    @Test(arguments: [
        ("localhost", true), ("10.7.0.3", true), ("home.example", true), ("bank.example", false),
    ])
    func theAuthorityIsTrustedForItsOwnNamesAlone(name: String, isTrusted: Bool) throws {
        let folder = try Folder()
        let certificates = GatewayCertificates(folder: folder.path)
        _ = try certificates.serverConfiguration(names: ["localhost", "home.example"])
        // An attack with a stolen key.
        let script = """
            set -e; cd "$0"
            openssl req -newkey rsa:2048 -nodes -keyout leaf.key -subj "/CN=x" -out leaf.csr
            case "$1" in [0-9]*) alternative="IP:$1";; *) alternative="DNS:$1";; esac
            printf 'subjectAltName=%s\\n' "$alternative" > leaf.ext
            openssl x509 -req -in leaf.csr -CA ca.pem -CAkey ca-key.pem -CAcreateserial -days 2 -extfile leaf.ext -out leaf.pem
            openssl verify -CAfile ca.pem leaf.pem
            """
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script, folder.path, name]
        process.standardError = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect((process.terminationStatus == 0) == isTrusted)
    }

    @Test func aNameItMayNotSignForIsRefused() throws {
        let folder = try Folder()
        let certificates = GatewayCertificates(folder: folder.path)
        _ = try certificates.serverConfiguration(names: ["localhost", "home.example"])
        _ = try certificates.serverConfiguration(names: [
            "push.home.example", "192.168.1.4", "kitchen.local", "fd00::1",
        ])
        for name in ["bank.example", "example"] {
            let error = #expect(throws: HostError.self) { try certificates.serverConfiguration(names: [name]) }
            #expect(error?.code == .invalidArgument && error?.message.contains(name) == true)
        }
    }
}
