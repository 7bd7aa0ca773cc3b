import CProcess
import Foundation

/// A child and everything it started, told apart by their session.
///
/// A process group would not do: `Process` of Foundation, which is how extensions start helper programs, gives each its
/// own. Only a program that makes itself a session leader leaves.
struct ProcessSession: Sendable {
    /// The child; as long as it is not reaped, its number stays the session's.
    let leader: pid_t

    /// Sends a signal to every member.
    func signal(_ number: Int32) {
        kill(-leader, number)
        for member in members where member != leader { send(number, to: member) }
    }

    /// Ends every member, also those started while others are being ended.
    func end() {
        for _ in 0..<100 {
            signal(SIGKILL)
            if members.allSatisfy({ $0 == leader }) { return }
            usleep(1000)
        }
    }

    /// Processes of the session that still run.
    private var members: [pid_t] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        return names.compactMap(pid_t.init).filter(isMember)
    }

    /// Of the leader, or of all members.
    func threadCount(ofLeaderOnly isAlone: Bool) -> Int {
        (isAlone ? [leader] : members).reduce(0) { count, member in
            let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(member)/task").count
            return count + (threads ?? 0)
        }
    }

    /// Bytes in memory that belong to no file and are shared with nobody; of the leader, or of all members.
    func ownMemory(ofLeaderOnly isAlone: Bool) -> Int64 {
        let page = Int64(getpagesize())
        return (isAlone ? [leader] : members).reduce(0) { sum, member in
            // Size, resident, shared (proc_pid_statm(5)).
            let text = try? String(contentsOfFile: "/proc/\(member)/statm", encoding: .utf8)
            let pages = text?.split(separator: " ").prefix(3).compactMap { Int64($0) } ?? []
            return pages.count == 3 ? sum + max(0, pages[1] - pages[2]) * page : sum
        }
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
        guard let text = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8),
            // The name in parentheses may hold anything, spaces and parentheses too.
            let end = text.lastIndex(of: ")")
        else { return false }
        // State, parent, group, session.
        let fields = text[text.index(after: end)...].split(separator: " ", maxSplits: 4)
        return fields.count > 3 && fields[3] == "\(leader)" && fields[0] != "Z" && fields[0] != "X"
    }
}
