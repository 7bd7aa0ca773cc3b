import AddressPolicy
import Foundation
package import HostInterface

/// A request to the program that gets one picture: a line of JSON, and after it the bytes of a picture that is there already.
package struct PictureRequest: Sendable, Hashable, Codable {
    /// The longest line, in bytes.
    package static let longest = 1 << 16

    /// Of the picture; empty for one that follows.
    package var url = ""
    /// Of the device that named it; `nil` for a program of this user.
    package var deviceAddresses: [String]?
    /// Of the square that it is fitted into, in pixels; 0 for the picture as it is.
    package var side = 0
    /// Of the picture that follows, in bytes.
    package var length = 0
    /// `true` to get a ``PixelPicture``, as a file. Absent in a request of an earlier version.
    package var wantsPixels: Bool?

    package init(url: String, origin: PictureOrigin, side: Int = 0) {
        self.url = url
        self.side = side
        if case .device(let addresses) = origin { deviceAddresses = addresses.map(\.text) }
    }

    /// A picture of that many bytes follows.
    package init(length: Int, side: Int, wantsPixels: Bool = false) {
        self.length = length
        self.side = side
        self.wantsPixels = wantsPixels
    }

    package var origin: PictureOrigin {
        guard let deviceAddresses else { return .program }
        return .device(deviceAddresses.compactMap { NetworkAddress($0) })
    }

    /// - Throws: ``HostError`` for an address that is longer than any.
    package func line() throws(HostError) -> [UInt8] {
        guard let json = try? JSONEncoder().encode(self), json.count < Self.longest else {
            throw HostError(.invalidArgument, "The URL is too long.")
        }
        return Array(json) + [UInt8(ascii: "\n")]
    }

    /// `nil` for an invalid line.
    package init?(line: [UInt8]) {
        guard let request = try? JSONDecoder().decode(Self.self, from: Data(line)) else { return nil }
        self = request
    }
}

/// The answer of that program: a byte for the kind, and then the picture, or the error as JSON.
package enum PictureAnswer: Sendable, Hashable {
    case picture([UInt8])
    case failure(HostError)

    /// The longest answer, in bytes.
    package static let longest = PictureLimits.size + 1

    package var bytes: [UInt8] {
        switch self {
        case .picture(let bytes): [0] + bytes
        case .failure(let error): [1] + ((try? JSONEncoder().encode(error)).map(Array.init) ?? [])
        }
    }

    /// `nil` for an invalid answer: the program ended in the middle of it, or is another one.
    package init?(_ bytes: [UInt8]) {
        switch bytes.first {
        case 0: self = .picture(Array(bytes.dropFirst()))
        case 1:
            guard let error = try? JSONDecoder().decode(HostError.self, from: Data(bytes.dropFirst())) else {
                return nil
            }
            self = .failure(error)
        default: return nil
        }
    }
}
