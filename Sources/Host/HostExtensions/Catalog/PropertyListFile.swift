import Foundation
import HostInterface

/// Reads a small property list that anyone may have written.
enum PropertyListFile {
    static let largestSize = 1 << 20
    /// Foundation's parser recurses per container and ends the process when the stack is used up, so the number of
    /// containers, which bounds the depth, is checked first.
    private static let largestContainerCount = 256

    /// - Throws: ``ExtensionManifestError`` for everything from a missing file to a value of the wrong type.
    static func decode<Value: Decodable>(
        _ type: Value.Type, at path: String
    ) throws(ExtensionManifestError) -> Value {
        let data = try contents(of: path)
        try check(data, path: path)
        do {
            return try PropertyListDecoder().decode(type, from: data)
        } catch let error as DecodingError {
            throw ExtensionManifestError(error, file: path)
        } catch {
            throw ExtensionManifestError(file: path, .notAPropertyList("it is damaged"))
        }
    }

    /// Returns the whole list, to check it for unused keys.
    ///
    /// - Throws: The same errors as ``decode(_:at:)``.
    static func dictionary(at path: String) throws(ExtensionManifestError) -> [String: Any] {
        let data = try contents(of: path)
        try check(data, path: path)
        guard let list = try? PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any] else {
            throw ExtensionManifestError(file: path, .notAPropertyList("it is damaged or isn't a dictionary"))
        }
        return list
    }

    private static func contents(of path: String) throws(ExtensionManifestError) -> Data {
        // A named pipe in place of the file would block an ordinary open for ever.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else {
            throw ExtensionManifestError(file: path, .unreadable(String(cString: strerror(errno))))
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw ExtensionManifestError(file: path, .notARegularFile)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: false)
        do {
            let data = try handle.read(upToCount: largestSize + 1) ?? Data()
            guard data.count <= largestSize else {
                throw ExtensionManifestError(file: path, .tooLarge(limit: largestSize))
            }
            return data
        } catch let error as ExtensionManifestError {
            throw error
        } catch {
            throw ExtensionManifestError(file: path, .unreadable(FailureReason.text(of: error)))
        }
    }

    private static func check(_ data: Data, path: String) throws(ExtensionManifestError) {
        guard let text = String(validating: data, as: UTF8.self) else {
            throw ExtensionManifestError(file: path, .notAPropertyList("it is not UTF-8 text"))
        }
        let start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        guard start.hasPrefix("<?xml") || start.hasPrefix("<!DOCTYPE") || start.hasPrefix("<plist") else {
            throw ExtensionManifestError(file: path, .notAPropertyList("it does not start with an XML declaration"))
        }
        let bytes = text.utf8
        var containers = 0
        for tag in ["<array", "<dict", "<plist"] {
            containers += bytes.ranges(of: tag.utf8).count
        }
        guard containers <= largestContainerCount else {
            throw ExtensionManifestError(file: path, .notAPropertyList("it nests too deeply"))
        }
    }
}

extension ExtensionManifestError {
    init(_ error: DecodingError, file: String) {
        func path(_ keys: [any CodingKey]) -> String? {
            let names = keys.map { $0.intValue.map { "\($0)" } ?? $0.stringValue }
            return names.isEmpty ? nil : names.joined(separator: ".")
        }
        switch error {
        case .keyNotFound(let key, let context):
            self.init(file: file, key: path(context.codingPath + [key]), .missingKey)
        case .valueNotFound(_, let context):
            self.init(file: file, key: path(context.codingPath), .missingKey)
        case .typeMismatch(let type, let context):
            self.init(file: file, key: path(context.codingPath), .wrongType(expected: Self.words(for: type)))
        case .dataCorrupted(let context):
            guard let key = path(context.codingPath) else {
                self.init(file: file, .notAPropertyList("it is damaged"))
                return
            }
            self.init(file: file, key: key, .invalidValue("cannot be read"))
        @unknown default:
            self.init(file: file, .notAPropertyList("it is damaged"))
        }
    }

    private static func words(for type: any Any.Type) -> String {
        if type == String.self { return "a string" }
        if type == Bool.self { return "true or false" }
        if type == Int.self { return "an integer" }
        if "\(type)".hasPrefix("Array") { return "an array" }
        return "a dictionary"
    }
}
