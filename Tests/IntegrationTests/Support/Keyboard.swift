import Foundation

/// A named pipe that a program reads as its standard input.
struct Keyboard: Sendable {
    /// The path of the pipe, for the program to open.
    let path: String
    private let pipe: FileHandle

    /// - Parameter folder: The folder in which the pipe is made.
    init(in folder: String) throws {
        path = folder + "/keyboard-\(UUID().uuidString)"
        guard mkfifo(path, 0o600) == 0 else { throw WaitedInVain(description: "a pipe: errno \(errno)") }
        // Open for reading as well: neither side waits for the other, and no SIGPIPE ends the tests with a program that
        // ended before it was typed to.
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { throw WaitedInVain(description: "a pipe: errno \(errno)") }
        pipe = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    func type(_ text: String) { pipe.write(Data(text.utf8)) }
}
