import DBus
import Foundation

/// The reason for a failure, as the end of a sentence for people.
package enum FailureReason {
    /// The error's own words, without names of types and domains.
    ///
    /// Foundation has no words for most errors on Linux: `The operation could not be completed`.
    package static func text(of error: any Error) -> String {
        switch error {
        case let error as HostError: return error.message
        case let error as DBusError: return error.description
        // Before the next, which takes every NSError.
        case let error as NSError where error.domain == NSPOSIXErrorDomain:
            return words(of: error) ?? error.localizedDescription
        case let error as CocoaError: return words(of: error)
        case let error as POSIXError: return String(cString: strerror(error.code.rawValue))
        case is EncodingError: return "it cannot be encoded"
        case let error as DecodingError: return words(of: error)
        case is CancellationError: return "it was cancelled"
        default: return words(of: error as NSError) ?? "\(error)"
        }
    }

    private static func words(of error: CocoaError) -> String {
        if let underlying = error.underlying, let words = words(of: underlying as NSError) { return words }
        switch error.code {
        case .fileWriteOutOfSpace: return String(cString: strerror(ENOSPC))
        case .fileWriteNoPermission, .fileReadNoPermission: return String(cString: strerror(EACCES))
        case .fileWriteVolumeReadOnly: return String(cString: strerror(EROFS))
        case .fileNoSuchFile, .fileReadNoSuchFile: return String(cString: strerror(ENOENT))
        case .fileWriteFileExists: return String(cString: strerror(EEXIST))
        case .fileReadTooLarge: return String(cString: strerror(EFBIG))
        case .fileReadCorruptFile, .propertyListReadCorrupt: return "the file is damaged"
        default: return error.localizedDescription
        }
    }

    private static func words(of error: DecodingError) -> String {
        switch error {
        case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context),
            .valueNotFound(_, let context):
            return context.debugDescription
        @unknown default: return "it cannot be read"
        }
    }

    private static func words(of error: NSError) -> String? {
        error.domain == NSPOSIXErrorDomain ? String(cString: strerror(Int32(clamping: error.code))) : nil
    }
}
