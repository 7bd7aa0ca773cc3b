import Foundation

/// Folders that only this user may open.
package enum PrivateFolder {
    /// The system refused to make a folder.
    package struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
        /// See errno(3).
        package let code: Int32

        package var description: String { String(cString: strerror(code)) }
    }

    /// Makes a folder with mode 0700, and those above it. Existing ones keep their mode.
    ///
    /// `FileManager` sets the mode of a new folder by its path, where somebody may have put a link meanwhile.
    ///
    /// - Throws: ``Failure`` with the reason of the first folder that can't be made.
    package static func make(_ path: String) throws(Failure) {
        if try makeOne(path) { return }
        let above = (path as NSString).deletingLastPathComponent
        guard !above.isEmpty, above != path else { throw Failure(code: ENOENT) }
        try make(above)
        guard try makeOne(path) else { throw Failure(code: ENOENT) }
    }

    /// - Returns: `false` if the folder above is missing.
    private static func makeOne(_ path: String) throws(Failure) -> Bool {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return true }
        guard errno == ENOENT else { throw Failure(code: errno) }
        return false
    }
}
