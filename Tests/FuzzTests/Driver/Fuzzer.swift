import Foundation

/// libFuzzer for one target: `Fuzzer TARGET [OPTION OR FOLDER]...`, as `scripts/fuzz` starts it.
///
/// `Fuzzer --list` prints the targets; `Fuzzer --prepare TARGET FOLDER` writes its inputs to the folder and its words to
/// `FOLDER.dictionary`, as libFuzzer reads them.
@main struct Fuzzer {
    static func main() throws {
        var arguments = Array(CommandLine.arguments.dropFirst())
        if arguments.first == "--list" {
            print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
            return
        }
        let prepares = arguments.first == "--prepare"
        if prepares { arguments.removeFirst() }
        guard let target = FuzzTarget.all.first(where: { $0.name == arguments.first }) else {
            FileHandle.standardError.write(Data("Fuzzer: no target of that name; see Fuzzer --list\n".utf8))
            exit(64)
        }
        arguments.removeFirst()
        if prepares, let folder = arguments.first {
            try target.prepare(folder)
        } else {
            chosen.set(target)
            exit(search(["Fuzzer"] + arguments))
        }
    }

    private static func search(_ words: [String]) -> Int32 {
        var count = Int32(words.count)
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        return arguments.withUnsafeMutableBufferPointer { buffer in
            var pointer = buffer.baseAddress
            return runDriver(&count, &pointer) { bytes, size in
                let input = UnsafeBufferPointer(start: bytes, count: size)
                do {
                    _ = try chosen.target?.take(Array(input))
                } catch {
                    fatalError("\(error)")
                }
                return 0
            }
        }
    }
}

/// The driver's callback is a C function, which can hold nothing.
private let chosen = Chosen()

private final class Chosen: @unchecked Sendable {
    // Written once, before the driver starts; that calls on one thread.
    private(set) var target: FuzzTarget?
    func set(_ target: FuzzTarget) { self.target = target }
}

/// Of libFuzzer (`FuzzerInterface.h` calls the type of the callback UserCallback).
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
) -> Int32

extension FuzzTarget {
    fileprivate func prepare(_ folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (number, input) in try corpus().enumerated() {
            try Data(input).write(to: URL(filePath: "\(folder)/seed-\(number)"))
        }
        let lines = words.map { word in
            "\""
                + word.utf8.map { byte in
                    let isPlain =
                        (0x20..<0x7F).contains(byte) && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
                    let digits = String(byte, radix: 16)
                    return isPlain ? String(Unicode.Scalar(byte)) : "\\x" + (digits.count < 2 ? "0" : "") + digits
                }.joined() + "\""
        }
        try Data((lines.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: folder + ".dictionary"))
    }
}
