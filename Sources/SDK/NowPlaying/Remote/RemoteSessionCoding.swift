import Foundation

/// The coding of attributes as JSON with ISO 8601 dates, the format in which servers push them.
enum RemoteSessionCoding {
    static func encode(_ attributes: some RemoteMediaSessionAttributes) throws -> Data {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = .sortedKeys
        return try encoder.encode(attributes)
    }

    /// Decodes attributes. A date can also have fractional seconds, or be a number: seconds since 1970.
    ///
    /// - Throws: `DecodingError`
    static func decode<Attributes: RemoteMediaSessionAttributes>(
        _ type: Attributes.Type, from data: Data
    ) throws -> Attributes {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            if let seconds = try? container.decode(Double.self) { return Date(timeIntervalSince1970: seconds) }
            let text = try container.decode(String.self)
            if let date = try? Date(text, strategy: .iso8601) { return date }
            if let date = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)) {
                return date
            }
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "“\(text)” isn't an ISO 8601 date.")
        }
        return try decoder.decode(type, from: data)
    }

    /// Returns one sentence that describes a decoding error and its place.
    static func sentence(_ error: DecodingError) -> String {
        func place(_ context: DecodingError.Context, _ last: (any CodingKey)? = nil) -> String {
            let path = (context.codingPath + (last.map { [$0] } ?? [])).map(\.stringValue).joined(separator: ".")
            return path.isEmpty ? "The attributes" : "“\(path)” of the attributes"
        }
        switch error {
        case .keyNotFound(let key, let context): return "\(place(context, key)) is missing."
        case .valueNotFound(_, let context): return "\(place(context)) is null."
        case .typeMismatch(let type, let context): return "\(place(context)) isn't of type \(type)."
        case .dataCorrupted(let context): return "\(place(context)) cannot be read: \(context.debugDescription)"
        @unknown default: return "The attributes cannot be read."
        }
    }
}
