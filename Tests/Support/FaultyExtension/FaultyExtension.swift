import DBus
import Foundation
import HostInterface

/// An extension that misbehaves in the way the environment variable `MDHOST_FAULT` names; `good` is well behaved.
@main struct FaultyExtension {
    static func main() async throws {
        let fault = Fault(rawValue: ProcessInfo.processInfo.environment["MDHOST_FAULT"] ?? "good") ?? .good
        switch fault {
        case .exitAtOnce: exit(3)
        case .crashAtOnce:
            print("Module/File.swift:1: Fatal error: nothing works")
            fflush(nil)
            abort()
        case .garbage:
            signal(SIGPIPE, SIG_IGN)
            _ = (0..<1000).map { _ in write(3, Array(repeating: UInt8.random(in: 0...255), count: 997), 997) }
            await forever()
        case .silent: await forever()
        case .stubborn: signal(SIGTERM, SIG_IGN)
        default: break
        }
        try await FaultyLink(fault).run()
    }

    static func forever() async -> Never {
        while true { try? await Task.sleep(for: .seconds(3600)) }
    }
}

enum Fault: String {
    case good
    /// Never says hello.
    case silent
    case exitAtOnce = "exit-at-once"
    case crashAtOnce = "crash-at-once"
    /// Says hello, then ends at the first call.
    case crashInCall = "crash-in-call"
    /// Ends with status 0 when discovery stops: nothing is left to do.
    case leave
    /// Says hello, then answers nothing.
    case hang
    /// Says hello, then has its main thread work for half a second before it answers.
    case busy
    /// Random bytes on the link.
    case garbage
    /// Messages that break every rule, then a good one.
    case malformed
    /// A message before the greeting, and a second greeting.
    case impatient
    case wrongVersion = "wrong-version"
    /// Messages that would need many times their size in memory, then a good one.
    case huge
    /// Replies to calls that nobody made, then a good message.
    case unasked
    /// Messages without end.
    case flood
    /// Ignores SIGTERM and the end of the link.
    case stubborn
    /// Starts a program that outlives it, and reports its process number.
    case grandchild
    /// Prints 10 MB.
    case chatty
    /// Reports its open descriptors, environment and folder.
    case inspect
}
