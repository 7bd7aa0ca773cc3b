public import Foundation
import ReferenceProtocol

/// The files with the sound and the pictures that a receiver got, which has neither a speaker nor a screen.
final class LiveRecording {
    private let sound: FileHandle?
    private let pictures: FileHandle?

    /// Creates the files, empty.
    ///
    /// - Parameters:
    ///   - live: What is received. A file is created for what it contains.
    ///   - sound: The path of the file for the samples, without a header; `nil` for none.
    ///   - pictures: The path of the file for the pictures, a bare H.264 stream; `nil` for none.
    /// - Throws: A `CocoaError` if a file can't be written.
    init(_ live: ReferenceLive, sound: String?, pictures: String?) throws {
        self.sound = live.sound == nil ? nil : try sound.map { try .writing(to: $0) }
        self.pictures = live.picture == nil ? nil : try pictures.map { try .writing(to: $0) }
    }

    deinit {
        try? sound?.close()
        try? pictures?.close()
    }

    func add(samples: Data) { try? sound?.write(contentsOf: samples) }

    func add(picture: Data) { try? pictures?.write(contentsOf: picture) }
}

extension FileHandle {
    /// Opens a file that is empty afterwards.
    public static func writing(to path: String) throws -> FileHandle {
        try Data().write(to: URL(filePath: path))
        return try FileHandle(forWritingTo: URL(filePath: path))
    }
}
