package import Foundation
package import HostInterface

/// Reads pictures that are files of this computer.
package enum LocalPicture {
    /// - Throws: ``HostError`` for a file that isn't regular, exceeds ``PictureLimits/size``, or can't be read.
    package static func read(_ file: URL) throws(HostError) -> [UInt8] {
        let values = try? file.resourceValues(forKeys: [.fileSizeKey, .isRegularFileKey])
        guard values?.isRegularFile == true, values?.fileSize ?? 0 <= PictureLimits.size else {
            throw HostError(.unsupportedFormat, "It isn't a file, or it exceeds 16 MB.")
        }
        do {
            return [UInt8](try Data(contentsOf: file))
        } catch {
            throw HostError(.unreachableURL, FailureReason.text(of: error))
        }
    }
}
