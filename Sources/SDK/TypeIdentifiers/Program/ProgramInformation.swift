package import Foundation

/// The contents of the running program's `Info.plist`.
package struct ProgramInformation: Sendable, Hashable {
    /// The path of the file; `nil` if the program has none.
    package var path: String?
    /// The value of `CFBundleIdentifier`.
    package var bundleIdentifier: String?
    /// The value of `CFBundleDisplayName`, otherwise of `CFBundleName`.
    package var displayName: String?
    /// The value of `CFBundleShortVersionString`.
    package var version: String?
    /// The value of `CFBundleExecutable`, the program's file name.
    package var executable: String?
    /// The value of `EXAppExtensionAttributes` → `EXExtensionPointIdentifier`.
    package var extensionPointIdentifier: String?
    /// The value of `EXAppExtensionAttributes` → `MDRequestedDomains`: the internet domains that an extension needs.
    package var requestedDomains: [String] = []
    /// The value of `MDESupportedProtocols`: protocol identifiers, each with the identifier of the application on the
    /// device, which can be empty.
    package var supportedProtocols: [String: String] = [:]
    /// The value of `MDESupportsUniversalURLPlayback`.
    package var supportsUniversalURLPlayback = false
    /// The value of `UTExportedTypeDeclarations`: the program's own types.
    package var exportedTypes: [TypeDeclaration] = []
    /// The value of `UTImportedTypeDeclarations`: the types of other programs that this one describes.
    package var importedTypes: [TypeDeclaration] = []
    /// The value of `NSBonjourServices`: the service types for which the program browses.
    package var bonjourServices: [String] = []

    package init() {}

    /// The running program's information, or the reason why it can't be read; empty if the program has none. It is read
    /// once.
    package static let loaded: Result<ProgramInformation, ProgramInformationError> = {
        do throws(ProgramInformationError) {
            return .success(try ProgramFolder.current.information())
        } catch {
            return .failure(error)
        }
    }()

    /// The running program's information; empty if there is none or it can't be read.
    package static var current: ProgramInformation { (try? loaded.get()) ?? ProgramInformation() }

    /// Creates information from a property list.
    ///
    /// - Parameters:
    ///   - data: The list as XML in UTF-8 or binary, at most ``ProgramInformationError/greatestSize`` bytes.
    ///   - path: The path of the file, for errors.
    package init(propertyList data: Data, path: String) throws(ProgramInformationError) {
        try PropertyListGuard.check(data, path: path)
        let shape: ProgramPropertyList
        do {
            shape = try PropertyListDecoder().decode(ProgramPropertyList.self, from: data)
        } catch {
            throw ProgramInformationError(decoding: error, path: path)
        }
        self.init(shape, path: path)
    }
}

/// An error of a program's `Info.plist`.
package struct ProgramInformationError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        /// The file can't be opened; the text is the system's reason.
        case unreadable(String)
        /// The file exceeds ``ProgramInformationError/greatestSize`` bytes.
        case tooLarge(Int)
        /// The nesting of collections exceeds ``PropertyListGuard/greatestDepth``.
        case tooDeep
        /// The file is neither an XML property list in UTF-8 nor a binary one; the text is the parser's reason.
        case malformed(String)
        /// A value has another type than its key requires, such as `UTExportedTypeDeclarations[0].UTTypeIdentifier`.
        case wrongType(key: String, expected: String)
        /// A required key is missing.
        case missing(key: String)
    }

    /// The greatest accepted size in bytes.
    package static let greatestSize = 1 << 20

    package var path: String
    package var reason: Reason

    package init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// The error as one sentence for people.
    package var description: String {
        switch reason {
        case .unreadable(let cause): "\(path) cannot be read: \(cause)."
        case .tooLarge(let size): "\(path) has \(size) bytes; at most \(Self.greatestSize) are read."
        case .tooDeep: "\(path) is nested more than \(PropertyListGuard.greatestDepth) levels deep."
        case .malformed(let cause): "\(path) isn't a property list: \(cause)."
        case .wrongType(let key, let expected): "In \(path) the value of \(key) is not \(expected)."
        case .missing(let key): "In \(path) the key \(key) is missing."
        }
    }
}
