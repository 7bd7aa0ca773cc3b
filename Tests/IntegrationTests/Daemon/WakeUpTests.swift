import Foundation
import Testing

extension Product {
    /// Notices when a change makes idle processes work: counts of waits, which don't depend on how fast the machine is.
    @Suite(.timeLimit(.minutes(3))) struct WakeUpTests {
        /// Two rounds of questions to every device.
        private static let length = Duration.seconds(16)

        @Test func aPickerIsOpenAndNothingIsNew() async throws {
            try await PrivateDaemon.run(watching: true) { daemon in
                // Until then it searches again and again.
                try await Task.sleep(for: .seconds(31))
                let extensions = PrivateDaemon.children(of: daemon.processID)
                #expect(extensions.count >= PrivateDaemon.ownExtensions)
                let before = Activity.of([daemon.processID] + extensions)
                try await Task.sleep(for: Self.length)
                let after = Activity.of([daemon.processID] + extensions)
                let count = after.waits(since: before)
                print("COUNTS picker open: \(count) waits in \(Self.length), \(after.pages) pages of the daemon's own")
                // Asking eight devices twice takes about 40; a timer of one second in every process would take 140 more.
                #expect(1...110 ~= count)
                #expect(after.pages <= 3_500)
                // Most of a program is read at its start alone. An open picker needs a part of it again.
                let resident = [daemon.processID] + extensions
                for (index, size) in resident.map(Activity.residentMegabytes).enumerated() {
                    print("COUNTS picker open: \(index == 0 ? "daemon" : "extension") \(size) MB resident")
                    // If nothing is released, they take 57 and up to 54; 27 and 21 are usual.
                    #expect(size <= (index == 0 ? 40 : 32))
                }
            }
        }
    }
}

/// The counts of several processes.
private struct Activity {
    /// How often each of their threads began to wait, by its folder; being pushed off a processor doesn't count.
    var threads: [String: Int] = [:]
    /// Pages of the first process that belong to no file.
    var pages = 0

    static func of(_ processes: [Int32]) -> Activity {
        var activity = Activity()
        for process in processes {
            let folder = "/proc/\(process)/task"
            for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
                activity.threads["\(folder)/\(thread)"] = value(
                    "voluntary_ctxt_switches", in: "\(folder)/\(thread)/status")
            }
        }
        if let first = processes.first { activity.pages = value("RssAnon", in: "/proc/\(first)/status") / 4 }
        return activity
    }

    static func residentMegabytes(of process: Int32) -> Int { value("VmRSS", in: "/proc/\(process)/status") / 1024 }

    /// A thread that ended meanwhile was woken at least for that.
    func waits(since before: Activity) -> Int {
        threads.reduce(0) { $0 + $1.value - before.threads[$1.key, default: 0] }
            + before.threads.keys.count { threads[$0] == nil }
    }

    private static func value(_ key: String, in path: String) -> Int {
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix(key + ":") }
        return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
}
