import CProcess
import Foundation

/// A child and all its descendants, identified by their session.
///
/// A process group isn't sufficient, because Foundation's `Process`, which extensions use for helper programs, gives
/// each its own. Only a program that becomes a session leader leaves the session.
struct ProcessSession: Sendable {
    /// The child; as long as it is not reaped, its number stays the session's.
    let leader: pid_t

    /// Sends a signal to every member.
    func signal(_ number: Int32) {
        kill(-leader, number)
        for member in members where member != leader { send(number, to: member) }
    }

    /// Ends every member, including those started meanwhile.
    func end() {
        for _ in 0..<100 {
            signal(SIGKILL)
            if members.allSatisfy({ $0 == leader }) { return }
            usleep(1000)
        }
    }

    /// The running processes of the session.
    private var members: [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap(pid_t.init).filter(isMember)
    }

    /// Returns the number of threads of the leader, or of all members.
    func threadCount(ofLeaderOnly isAlone: Bool) -> Int {
        (isAlone ? [leader] : members).reduce(0) { count, member in
            let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(member)/task").count
            return count + (threads ?? 0)
        }
    }

    /// Bytes that belong to no file, in memory and swapped out: of what is shared its part (PSS); of the leader, or of all
    /// members.
    func ownMemory(ofLeaderOnly isAlone: Bool) -> Int64 {
        (isAlone ? [leader] : members).reduce(0) { $0 + Self.ownMemory(of: $1) }
    }

    /// Source: proc_pid_smaps(5), proc_pid_status(5).
    private static func ownMemory(of process: pid_t) -> Int64 {
        // The second is for kernels before 5.9 and for processes that may not be looked into; what is shared counts in full.
        for (file, keys) in [
            ("smaps_rollup", ["Pss_Anon:", "Pss_Shmem:", "SwapPss:"]),
            ("status", ["RssAnon:", "RssShmem:", "VmSwap:"]),
        ] {
            let text = (try? String(contentsOfFile: "/proc/\(process)/\(file)", encoding: .utf8)) ?? ""
            let lines = text.split(separator: "\n").filter { line in keys.contains { line.hasPrefix($0) } }
            guard lines.count == keys.count else { continue }
            return lines.reduce(0) { $0 + (Int64($1.filter(\.isNumber)) ?? 0) << 10 }
        }
        return 0
    }

    private func send(_ number: Int32, to process: pid_t) {
        let descriptor = pidfd_open(process, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // Asked again now that the descriptor keeps the number from meaning another process.
        guard isMember(process) else { return }
        pidfd_send_signal(descriptor, number, nil, 0)
    }

    private func isMember(_ process: pid_t) -> Bool {
        // Most are of other sessions; their files needn't be read for that.
        guard getsid(process) == leader,
            let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            // The name in parentheses may hold anything, spaces and parentheses too.
            let end = text.lastIndex(of: ")")
        else { return false }
        let state = text[text.index(after: end)...].split(separator: " ", maxSplits: 1).first
        return state != nil && state != "Z" && state != "X"
    }
}
