import CastStreaming
import Foundation
import ReferenceReceiver

/// The pictures that a simulated device receives. It has no screen, but can keep them in a file.
struct ReceivedPictures {
    private let format: PictureFormat
    private let recording: FileHandle?
    private(set) var shown = 0
    private(set) var lost = 0
    private var first: UInt32?

    /// - Parameter path: The file for the pictures: a byte stream of H.264, or VP8 in IVF; `nil` for none.
    init(_ format: PictureFormat, recordingTo path: String?) throws {
        self.format = format
        recording = try path.map { try .writing(to: $0) }
        if format.codec == .vp8 { try recording?.write(contentsOf: IVF.header(format)) }
    }

    mutating func show(_ picture: [UInt8], timestamp: UInt32) {
        shown += 1
        let first = first ?? timestamp
        self.first = first
        if format.codec == .vp8 {
            try? recording?.write(contentsOf: IVF.frameHeader(length: picture.count, time: timestamp &- first))
        }
        try? recording?.write(contentsOf: Data(picture))
    }

    mutating func lose() { lost += 1 }

    func close() { try? recording?.close() }
}

/// The container of VP8.
///
/// Source: https://wiki.multimedia.cx/index.php/Duck_IVF
private enum IVF {
    static func header(_ format: PictureFormat) -> Data {
        var data = Data("DKIF".utf8)
        data.append(little: UInt16(0))
        data.append(little: UInt16(32))
        data.append(contentsOf: Data("VP80".utf8))
        data.append(little: UInt16(format.width))
        data.append(little: UInt16(format.height))
        data.append(little: UInt32(StreamFormat.pictures.rate))
        data.append(little: UInt32(1))
        data.append(little: UInt64(0))
        return data
    }

    static func frameHeader(length: Int, time: UInt32) -> Data {
        var data = Data()
        data.append(little: UInt32(length))
        data.append(little: UInt64(time))
        return data
    }
}

extension Data {
    fileprivate mutating func append(little number: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
