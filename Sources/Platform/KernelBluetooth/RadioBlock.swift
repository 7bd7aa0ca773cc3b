import Glibc

/// The kind of rfkill block that keeps a radio off.
package enum RadioBlock: String, Sendable, Hashable, Codable {
    /// A program, or the person by one; `rfkill unblock` ends it.
    case software
    /// A switch or a key of the computer; no program can end it.
    case hardware

    /// - Parameter root: The folder of all devices.
    /// - Returns: `nil` if it isn't blocked or has no such switch.
    static func read(ofController name: String, in root: String = "/sys/class/bluetooth") -> RadioBlock? {
        let folder = "\(root)/\(name)"
        guard let directory = opendir(folder) else { return nil }
        defer { closedir(directory) }
        var block: RadioBlock?
        while let entry = readdir(directory) {
            let entry = withUnsafeBytes(of: entry.pointee.d_name) { name in
                String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard entry.hasPrefix("rfkill") else { continue }
            if flag("\(folder)/\(entry)/hard") { return .hardware }
            if flag("\(folder)/\(entry)/soft") { block = .software }
        }
        return block
    }

    private static func flag(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var character: UInt8 = 0
        return Glibc.read(descriptor, &character, 1) == 1 && character == UInt8(ascii: "1")
    }
}
