import Foundation
package import HostInterface

/// Copies an extension to a folder that ``ExtensionCatalog`` searches.
package enum ExtensionInstallation {
    /// Copies the bundle together with its program, and replaces any earlier copy with the same folder name.
    ///
    /// The new copy is complete before the old one is removed, so that no reader finds a partial one.
    ///
    /// - Parameter folder: The destination, created if it doesn't exist.
    /// - Returns: The installed `.mdext` folder.
    /// - Throws: ``HostError`` `storage-failed`.
    package static func install(_ manifest: ExtensionManifest, into folder: String) throws(HostError) -> String {
        let manager = FileManager.default
        let target = folder + "/" + (manifest.bundlePath as NSString).lastPathComponent
        let program = (manifest.executablePath as NSString).lastPathComponent
        let new = folder + "/.\(program)-\(UUID().uuidString)"
        defer { try? manager.removeItem(atPath: new) }
        do {
            try manager.createDirectory(atPath: folder, withIntermediateDirectories: true)
            // A link would be copied as a link, and the extension could read the whole folder to which it leads.
            try manager.copyItem(atPath: resolved(manifest.bundlePath), toPath: new)
            if manifest.executablePath != manifest.bundlePath + "/" + program {
                try? manager.removeItem(atPath: new + "/" + program)
                try manager.copyItem(atPath: resolved(manifest.executablePath), toPath: new + "/" + program)
            }
            guard manager.fileExists(atPath: target) else {
                try manager.moveItem(atPath: new, toPath: target)
                return target
            }
            let old = new + "-old"
            try manager.moveItem(atPath: target, toPath: old)
            defer { try? manager.removeItem(atPath: old) }
            do {
                try manager.moveItem(atPath: new, toPath: target)
            } catch {
                try? manager.moveItem(atPath: old, toPath: target)
                throw error
            }
            return target
        } catch {
            throw HostError(
                .storageFailed, "The extension cannot be copied to \(target): \(FailureReason.text(of: error))")
        }
    }

    private static func resolved(_ path: String) -> String { URL(filePath: path).resolvingSymlinksInPath().path }
}
