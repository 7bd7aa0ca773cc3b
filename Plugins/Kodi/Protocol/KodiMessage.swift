import Foundation
public import JSONValues

/// A method of Kodi's JSON-RPC and its parameters.
public struct KodiCall: Sendable, Hashable {
    public let method: String
    public let parameters: JSON

    public init(_ method: String, _ parameters: JSON = [:]) {
        self.method = method
        self.parameters = parameters
    }

    /// The time limit for the answer. Kodi contacts the media's server before it answers `Player.Open`, and answers
    /// nothing else meanwhile.
    public var limit: Duration { method == "Player.Open" ? .seconds(40) : .seconds(10) }

    public func encoded(id: UInt64) -> [UInt8] {
        let object: JSON = [
            "jsonrpc": "2.0", "id": .number(Double(id)), "method": .string(method), "params": parameters,
        ]
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return (try? encoder.encode(object)).map { Array($0) } ?? []
    }
}

/// Kodi's refusal of a call.
public struct KodiRefusal: Error, Sendable, Hashable {
    public let code: Int
    public let message: String
}

/// Something that happened to Kodi.
public struct KodiNotification: Sendable, Hashable {
    /// Such as `Player.OnStop`.
    public let method: String
    public let data: JSON

    public init(_ method: String, _ data: JSON = .null) {
        self.method = method
        self.data = data
    }
}

/// A message from Kodi.
public enum KodiMessage: Sendable, Hashable {
    case answer(UInt64, Result<JSON, KodiRefusal>)
    case notification(KodiNotification)

    /// - Returns: `nil` for JSON that is neither.
    public init?(_ bytes: [UInt8]) {
        guard let json = try? JSONDecoder().decode(JSON.self, from: Data(bytes)) else { return nil }
        if let id = json["id"]?.integer.flatMap({ UInt64(exactly: $0) }) {
            if let error = json["error"] {
                self = .answer(
                    id,
                    .failure(KodiRefusal(code: error["code"]?.integer ?? 0, message: error["message"]?.string ?? "")))
            } else {
                self = .answer(id, .success(json["result"] ?? .null))
            }
        } else if let method = json["method"]?.string {
            self = .notification(KodiNotification(method, json["params"]?["data"] ?? .null))
        } else {
            return nil
        }
    }
}
