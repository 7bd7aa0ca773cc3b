import Foundation
import HostInterface

/// The arguments of a command, as JSON; each command takes some of them.
struct CommandArguments: Decodable, Sendable {
    private var values: [String: Value]

    private enum Value: Decodable, Sendable {
        case text(String), number(Double), flag(Bool), list([String]), null

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .null
            } else if let flag = try? container.decode(Bool.self) {
                self = .flag(flag)
            } else if let number = try? container.decode(Double.self) {
                self = .number(number)
            } else if let text = try? container.decode(String.self) {
                self = .text(text)
            } else {
                self = .list(try container.decode([String].self))
            }
        }
    }

    /// The longest text: an address can be long.
    private static let longest = 16_384
    private static let mostItems = 64

    /// - Throws: ``HostError`` `invalid-argument` unless it is an object of texts, numbers, flags and lists of texts.
    init(json: [UInt8]) throws(HostError) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(json.isEmpty ? Array("{}".utf8) : json))
        } catch {
            throw HostError(.invalidArgument, "The command isn't a JSON object of texts, numbers and lists.")
        }
    }

    init(from decoder: any Decoder) throws {
        values = try decoder.singleValueContainer().decode([String: Value].self)
    }

    private static func missing(_ key: String, _ kind: String) -> HostError {
        HostError(.invalidArgument, "The command needs “\(key)”, \(kind).")
    }

    func text(_ key: String) throws(HostError) -> String {
        guard let text = try optionalText(key) else { throw Self.missing(key, "a text") }
        return text
    }

    /// Returns a text; `nil` if it is absent or `null`.
    func optionalText(_ key: String) throws(HostError) -> String? {
        switch values[key] {
        case .text(let text) where text.utf8.count <= Self.longest: return text
        // Identifiers may be numbers.
        case .number(let number) where number == number.rounded() && abs(number) < 1e15: return String(Int(number))
        case nil, .null: return nil
        default: throw Self.missing(key, "a text")
        }
    }

    func number(_ key: String, in range: ClosedRange<Double>) throws(HostError) -> Double {
        guard let number = try optionalNumber(key) else { throw Self.missing(key, "a number") }
        guard range.contains(number) else {
            throw HostError(
                .invalidArgument, "“\(key)” must be from \(range.lowerBound) to \(range.upperBound).")
        }
        return number
    }

    func optionalNumber(_ key: String) throws(HostError) -> Double? {
        switch values[key] {
        case .number(let number) where number.isFinite: return number
        case nil, .null: return nil
        default: throw Self.missing(key, "a number")
        }
    }

    func flag(_ key: String) throws(HostError) -> Bool {
        guard case .flag(let flag)? = values[key] else { throw Self.missing(key, "true or false") }
        return flag
    }

    func optionalList(_ key: String) throws(HostError) -> [String]? {
        switch values[key] {
        case .list(let list)
        where list.count <= Self.mostItems && list.allSatisfy { $0.utf8.count <= Self.longest }:
            return list
        case nil, .null: return nil
        default: throw Self.missing(key, "a list of texts")
        }
    }

    /// Returns the path of a device's object.
    func device(_ key: String = "device") throws(HostError) -> String { try Self.devicePath(try text(key)) }

    func devices(_ key: String) throws(HostError) -> [String]? {
        guard let list = try optionalList(key) else { return nil }
        var paths: [String] = []
        for id in list { paths.append(try Self.devicePath(id)) }
        return paths
    }

    /// - Throws: ``HostError`` `invalid-argument` for what isn't an identifier, so that it makes no object path.
    static func devicePath(_ id: String) throws(HostError) -> String {
        guard UUID(uuidString: id) != nil else {
            throw HostError(.invalidArgument, "“\(id.prefix(40))” isn't a device.")
        }
        return HostNames.devicePath(id)
    }

    func session() throws(HostError) -> String { HostNames.sessionPath(try objectName("session")) }

    func mediaSession() throws(HostError) -> String { HostNames.mediaSessionPath(try objectName("session")) }

    func extensionPath() throws(HostError) -> String { HostNames.extensionPath(try text("id")) }

    private func objectName(_ key: String) throws(HostError) -> String {
        let name = try text(key)
        guard !name.isEmpty, name.utf8.count <= 255,
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") })
        else { throw HostError(.invalidArgument, "“\(name.prefix(40))” isn't a session.") }
        return name
    }
}
