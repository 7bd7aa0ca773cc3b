import Foundation

/// Copies of programs that can be executed at once.
enum ProgramCopy {
    /// Copies a program.
    ///
    /// Not by `FileManager`: a program that another test starts meanwhile would inherit the descriptor, and a file
    /// that is open for writing can't be executed ("Text file busy") as long as that program runs.
    static func make(of program: String, at path: String) throws {
        let data = try Data(contentsOf: URL(filePath: program), options: .mappedIfSafe)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o755)
        guard descriptor >= 0 else { throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: path]) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        try file.write(contentsOf: data)
        try file.close()
    }
}
