import Foundation

/// libFuzzer, which provides `main`, for one target: `Fuzzer TARGET [OPTION OR FOLDER]...`; see `scripts/fuzz`.
///
/// `Fuzzer --list` prints the targets; `Fuzzer --prepare TARGET FOLDER` writes its inputs to the folder and its words to
/// `FOLDER.dictionary`, as libFuzzer reads them.
enum Fuzzer {
    /// Removes our own arguments and leaves those of libFuzzer.
    fileprivate static func choose(
        _ count: inout Int32, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    ) throws {
        var words = CommandLine.arguments.dropFirst()
        if words.first == "--list" {
            print(FuzzTarget.all.map(\.name).joined(separator: "\n"))
            exit(0)
        }
        let prepares = words.first == "--prepare"
        if prepares { words.removeFirst() }
        // A process that libFuzzer starts, for example to merge, has only the remaining arguments; the target is in the
        // environment.
        let inherited = prepares ? nil : ProcessInfo.processInfo.environment[variable]
        guard let target = FuzzTarget.all.first(where: { $0.name == inherited ?? words.first }) else {
            FileHandle.standardError.write(Data("Fuzzer: no target of that name; see Fuzzer --list\n".utf8))
            exit(64)
        }
        if prepares, let folder = words.dropFirst().first {
            try target.prepare(folder)
            exit(0)
        }
        chosen.set(target)
        guard inherited == nil else { return }
        setenv(variable, target.name, 1)
        // The remaining arguments begin with the program's name, as always.
        for index in 1..<Int(count) { arguments[index] = arguments[index + 1] }
        count -= 1
    }

    private static let variable = "MDHOST_FUZZ_TARGET"
}

/// libFuzzer calls C functions, which can't capture state.
private let chosen = Chosen()

private final class Chosen: @unchecked Sendable {
    // Written once, before the first input; all calls are on one thread.
    private(set) var target: FuzzTarget?
    func set(_ target: FuzzTarget) { self.target = target }
}

/// The initializer that libFuzzer calls once (`FuzzerInterface.h`) with the arguments of the process; it may take some
/// of them.
@_cdecl("LLVMFuzzerInitialize")
func initializeFuzzer(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
) -> Int32 {
    do {
        try Fuzzer.choose(&count.pointee, arguments.pointee)
    } catch {
        fatalError("\(error)")
    }
    return 0
}

/// The function that libFuzzer calls with each input; a broken rule must crash.
@_cdecl("LLVMFuzzerTestOneInput")
func takeFuzzerInput(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> Int32 {
    do {
        _ = try chosen.target?.take(Array(UnsafeBufferPointer(start: bytes, count: size)))
    } catch {
        fatalError("\(error)")
    }
    return 0
}

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
