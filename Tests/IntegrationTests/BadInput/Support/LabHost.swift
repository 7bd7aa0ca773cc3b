import Foundation
import Testing

/// A host of the LAN these tests run in (see docs/lab.md); the tests themselves are in host d.
struct LabHost: Sendable, Hashable {
    let name: String
    /// IPv4, numeric.
    let address: String
    /// The process number of its first process, in the LAN's numbering.
    private let processID: Int32

    static var isThisOne: Bool {
        let environment = ProcessInfo.processInfo.environment
        return environment["MDHOST_LAB"] == "1" && environment["MDHOST_LAB_INSIDE"] != nil
    }

    static let script: String = {
        var folder = URL(filePath: #filePath)
        for _ in 0..<5 { folder.deleteLastPathComponent() }
        return folder.path + "/scripts/lab"
    }()

    /// Starts the host, or uses the running one.
    static func up(_ name: String, plain: Bool = false) async throws -> LabHost {
        let result = try await Command.run([script, "up"] + (plain ? ["--plain"] : []) + [name])
        try #require(result.status == 0, "\(result)")
        // A host that was up before has another hardware address now.
        _ = try await Command.run([script, "in", "d", "ip", "neighbour", "flush", "dev", "eth0"])
        let folder = ProcessInfo.processInfo.environment["MDHOST_LAB_DIR"] ?? ""
        func number(_ file: String) throws -> Int32 {
            let text = try String(contentsOfFile: "\(folder)/\(name)/\(file)", encoding: .utf8)
            return try #require(Int32(text.trimmingCharacters(in: .whitespacesAndNewlines)))
        }
        return LabHost(name: name, address: "10.77.0.\(try number("index"))", processID: try number("pid"))
    }

    static func down(_ name: String) async throws { _ = try await Command.run([script, "down", name]) }

    static func plug(_ name: String, isIn: Bool) async throws {
        let result = try await Command.run([script, "switch", "ip", "link", "set", "v\(name)", isIn ? "up" : "down"])
        try #require(result.status == 0, "\(result)")
    }

    func command(_ words: [String]) -> [String] { [Self.script, "in", name] + words }

    /// `CLONE_NEWNET` of `linux/sched.h`; Swift's Glibc leaves it and setns(2) out.
    private static let networkNamespace: Int32 = 0x4000_0000
    private static let enterNamespace: (@convention(c) (Int32, Int32) -> Int32)? = dlsym(nil, "setns").map {
        unsafeBitCast($0, to: (@convention(c) (Int32, Int32) -> Int32).self)
    }

    /// Runs `body` on a thread of this host's network: the sockets it makes are this host's for good.
    func inNetwork<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
        let namespace = "/proc/\(processID)/ns/net"
        return try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                let result = Result {
                    let descriptor = open(namespace, O_RDONLY | O_CLOEXEC)
                    defer { close(descriptor) }
                    // The thread ends after this, so no other work ever runs in the other network.
                    guard descriptor >= 0, let enter = Self.enterNamespace,
                        enter(descriptor, Self.networkNamespace) == 0
                    else {
                        throw WaitedInVain(description: "network of \(name): errno \(errno)")
                    }
                    return try body()
                }
                continuation.resume(with: result)
            }
        }
    }
}
