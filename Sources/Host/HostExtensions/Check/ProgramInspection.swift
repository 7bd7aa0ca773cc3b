import Foundation

/// Checks whether a program can run on this machine, from its first bytes.
enum ProgramInspection {
    /// The names for values of ELF's `e_machine`, which identifies a program's architecture (System V ABI, Object
    /// Files).
    private static let machines: [(number: UInt16, name: String)] = [
        (62, "x86_64"), (183, "aarch64"), (243, "riscv64"),
    ]

    #if arch(x86_64)
        private static let own = "x86_64"
    #elseif arch(arm64)
        private static let own = "aarch64"
    #else
        private static let own = "riscv64"
    #endif

    /// - Parameter head: The first 20 bytes, or fewer.
    static func findings(head: [UInt8], path: String) -> [ExtensionFinding] {
        if head.starts(with: Array("#!".utf8)) { return [] }
        guard head.count >= 20, head.starts(with: [0x7F] + Array("ELF".utf8)) else {
            return [
                ExtensionFinding(
                    .error, key: "CFBundleExecutable", "\(path) is neither a program of Linux nor a script.",
                    remedy: "Build it on this machine with `swift build`.")
            ]
        }
        // Byte 5: 1 is little-endian, as every machine that Swift runs on.
        let number = UInt16(head[18]) | UInt16(head[19]) << 8
        let name = machines.first { $0.number == number }?.name ?? "machine \(number)"
        guard head[4] == 2, head[5] == 1, name == own else {
            return [
                ExtensionFinding(
                    .error, key: "CFBundleExecutable", "\(path) is built for \(name), and this machine is \(own).",
                    remedy: "Build it on this machine with `swift build`.")
            ]
        }
        return []
    }

    static func head(of path: String) -> [UInt8] {
        guard let handle = FileHandle(forReadingAtPath: path) else { return [] }
        defer { try? handle.close() }
        return Array((try? handle.read(upToCount: 20)) ?? Data())
    }
}
