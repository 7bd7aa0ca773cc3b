import Foundation

/// The attacks of an extension written only in Swift: Foundation's ways to the person's data, a line for each attempt
/// as in `HostileExtension`.
@main struct HostileSwiftExtension {
    static func main() {
        use()
        let environment = ProcessInfo.processInfo.environment
        if let path = environment["HOSTILE_DIARY"] { attack(URL(filePath: path)) }
        if let path = environment["HOSTILE_HOME"] { attackFolder(URL(filePath: path)) }
        if let daemon = environment["HOSTILE_DAEMON"] { attackProcess(daemon) }
        startPrograms()
        print("end")
    }

    private static func attempt(_ name: String, _ body: () throws -> Void) {
        do {
            try body()
            print("\(name)\tdone")
        } catch {
            print("\(name)\trefused\t\(String(describing: error).replacing("\n", with: " "))")
        }
    }

    private static func require(_ condition: Bool) throws {
        guard condition else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EPERM) }
    }

    private static let files = FileManager.default

    /// Attacks on another program's file.
    private static func attack(_ diary: URL) {
        let own = URL(filePath: files.currentDirectoryPath)
        let beside = diary.deletingLastPathComponent().appending(path: "hostile")
        attempt("String(contentsOf:)") { _ = try String(contentsOf: diary, encoding: .utf8) }
        attempt("Data(contentsOf:) mapped") { _ = try Data(contentsOf: diary, options: .alwaysMapped) }
        attempt("FileHandle for reading") { _ = try FileHandle(forReadingFrom: diary) }
        attempt("FileHandle for writing") { _ = try FileHandle(forWritingTo: diary) }
        attempt("InputStream") {
            let stream = try unwrap(InputStream(url: diary))
            stream.open()
            var byte: UInt8 = 0
            try require(stream.read(&byte, maxLength: 1) == 1)
        }
        attempt("write") { try Data("x".utf8).write(to: diary) }
        attempt("write atomically") { try Data("x".utf8).write(to: diary, options: .atomic) }
        attempt("create a file beside it") { try require(files.createFile(atPath: beside.path, contents: nil)) }
        attempt("create a folder beside it") {
            try files.createDirectory(at: beside, withIntermediateDirectories: false)
        }
        attempt("create a link beside it") { try files.createSymbolicLink(at: beside, withDestinationURL: own) }
        attempt("copy it") { try files.copyItem(at: diary, to: own.appending(path: "copy")) }
        attempt("move it") { try files.moveItem(at: diary, to: own.appending(path: "moved")) }
        attempt("hard link") { try files.linkItem(at: diary, to: own.appending(path: "linked")) }
        attempt("remove it") { try files.removeItem(at: diary) }
        attempt("replace it") { _ = try files.replaceItemAt(diary, withItemAt: own.appending(path: "made")) }
        attempt("set its mode") { try files.setAttributes([.posixPermissions: 0o666], ofItemAtPath: diary.path) }
        attempt("set its time") { try files.setAttributes([.modificationDate: Date()], ofItemAtPath: diary.path) }
        attempt("set its owner") { try files.setAttributes([.ownerAccountID: 0], ofItemAtPath: diary.path) }
        attempt("truncate") { try require(truncate(diary.path, 0) == 0) }
    }

    private static func attackFolder(_ home: URL) {
        attempt("list the home") { _ = try files.contentsOfDirectory(atPath: home.path) }
        attempt("walk the home") {
            try require(files.enumerator(atPath: home.path)?.nextObject() != nil)
        }
        attempt("write to the home") { try Data().write(to: home.appending(path: "hostile-extension")) }
        attempt("remove the home's folder") { try files.removeItem(at: home) }
    }

    private static func attackProcess(_ daemon: String) {
        attempt("read the daemon's environment") { _ = try Data(contentsOf: URL(filePath: "/proc/\(daemon)/environ")) }
        attempt("read the daemon's memory map") { _ = try Data(contentsOf: URL(filePath: "/proc/\(daemon)/maps")) }
        attempt("list the daemon's descriptors") {
            _ = try files.contentsOfDirectory(atPath: "/proc/\(daemon)/fd")
        }
        attempt("signal the daemon") { try require(kill(try unwrap(pid_t(daemon)), SIGURG) == 0) }
    }

    private static func startPrograms() {
        attempt("Process") {
            let process = Process()
            process.executableURL = URL(filePath: "/bin/true")
            try process.run()
            process.waitUntilExit()
        }
        attempt("posix_spawn") {
            var child: pid_t = 0
            var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
            errno = posix_spawn(&child, "/bin/true", nil, nil, &arguments, nil)
            try require(errno == 0)
        }
        attempt("session bus") { try require(socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0) >= 0) }
    }

    /// The needs of a well-behaved extension: all of it must work.
    private static func use() {
        let own = URL(filePath: files.currentDirectoryPath)
        attempt("may: write") { try Data("x".utf8).write(to: own.appending(path: "made")) }
        attempt("may: write atomically") { try Data("x".utf8).write(to: own.appending(path: "safe"), options: .atomic) }
        attempt("may: read") { _ = try Data(contentsOf: own.appending(path: "safe")) }
        attempt("may: move") { try files.moveItem(at: own.appending(path: "safe"), to: own.appending(path: "there")) }
        attempt("may: make folders") {
            try files.createDirectory(at: own.appending(path: "a/b"), withIntermediateDirectories: true)
        }
        attempt("may: list") { _ = try files.contentsOfDirectory(atPath: own.path) }
        attempt("may: remove") { try files.removeItem(at: own.appending(path: "a")) }
        attempt("may: time zones") { try require(TimeZone(identifier: "Europe/Berlin") != nil) }
        attempt("may: resolve names") {
            var found: UnsafeMutablePointer<addrinfo>?
            try require(getaddrinfo("127.0.0.1", "80", nil, &found) == 0)
            freeaddrinfo(found)
        }
        attempt("may: threads") {
            let done = DispatchSemaphore(value: 0)
            Thread { done.signal() }.start()
            DispatchQueue.global().async { done.signal() }
            done.wait()
            done.wait()
        }
    }

    private static func unwrap<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw CocoaError(.fileReadUnknown) }
        return value
    }
}
