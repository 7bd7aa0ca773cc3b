import AddressPolicy
import Foundation
import HostInterface

/// A request to the program that downloads one picture: a line of JSON.
package struct PictureRequest: Sendable, Hashable, Codable {
    /// The longest line, in bytes.
    package static let longest = 1 << 16

    package var url: String
    /// Of the device that named it; `nil` for a program of this user.
    package var deviceAddresses: [String]?

    package init(url: String, origin: PictureOrigin) {
        self.url = url
        if case .device(let addresses) = origin { deviceAddresses = addresses.map(\.text) }
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

    /// `nil` for what isn't one.
    package init?(line: [UInt8]) {
        guard let request = try? JSONDecoder().decode(Self.self, from: Data(line)) else { return nil }
        self = request
    }
}

/// What that program answers: a byte that says what follows, and then the picture, or the error as JSON.
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

    /// `nil` for what isn't one: the program ended in the middle of it, or is another one.
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
