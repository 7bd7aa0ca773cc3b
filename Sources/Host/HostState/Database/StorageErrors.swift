import Foundation
import GRDB
import HostInterface

/// A system call that did not work.
struct SystemFailure: Error, Sendable, Hashable {
    let code: Int32
    static var current: SystemFailure { SystemFailure(code: errno) }
    var reason: String { String(cString: strerror(code)) }
}

extension HostError {
    init(storage failure: SystemFailure, path: String) {
        self.init(.storageFailed, "\(path) cannot be used: \(failure.reason).")
    }

    /// Creates an error from one of the database or the system. Its message names the file and never contains stored
    /// values.
    init(storage error: any Error, path: String) {
        switch error {
        case let error as HostError: self = error
        case let error as SystemFailure: self.init(storage: error, path: path)
        case let error as DatabaseError:
            let reason =
                switch error.resultCode.primaryResultCode {
                case .SQLITE_FULL: "the disk is full"
                case .SQLITE_READONLY: "it is read-only"
                case .SQLITE_CANTOPEN: "it cannot be opened"
                case .SQLITE_BUSY, .SQLITE_LOCKED: "another process is using it"
                case .SQLITE_IOERR: "the disk reports an error"
                case .SQLITE_CORRUPT, .SQLITE_NOTADB: "it is damaged; restart the host to have it moved aside"
                default: error.message ?? "\(error.resultCode)"
                }
            self.init(.storageFailed, "\(path) cannot be used: \(reason).")
        default: self.init(.storageFailed, "\(path) cannot be used: \(FailureReason.text(of: error)).")
        }
    }
}

extension DatabaseError {
    /// A Boolean value that indicates whether the file isn't a usable database.
    var isDamage: Bool {
        [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(resultCode.primaryResultCode)
    }
}
