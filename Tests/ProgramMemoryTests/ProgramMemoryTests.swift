import CProgramMemory
import Foundation
import Testing

struct ProgramMemoryTests {
    /// The file-backed resident memory of this process, in kB.
    private static func fileMemory() throws -> Int {
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("RssFile:") })
        return try #require(Int(line.filter(\.isNumber)))
    }

    @Test func codeIsReleasedAndComesBack() throws {
        // Other tests may read code meanwhile.
        var least = Int.max
        let before = try Self.fileMemory()
        for _ in 0..<20 where least > before / 2 {
            program_memory_release()
            least = min(least, try Self.fileMemory())
        }
        #expect(least <= before / 2, "\(before) kB, then \(least) kB")
        // Code, constants and relocated data are what they were.
        let list = try JSONDecoder().decode([Double].self, from: Data("[0.5, 1e3]".utf8))
        #expect(list == [0.5, 1000] && "Straße".uppercased() == "STRASSE")
    }
}
