import Foundation

/// What the running program's `Info.plist` says, typed.
package struct ProgramInformation: Sendable, Hashable {
    /// Where it was read from; `nil` if the program has none.
    package var path: String?
    /// `CFBundleIdentifier`.
    package var bundleIdentifier: String?
    /// `CFBundleDisplayName`, else `CFBundleName`.
    package var displayName: String?
    /// `CFBundleShortVersionString`.
    package var version: String?
    /// `CFBundleExecutable`: the program's file name.
    package var executable: String?
    /// `EXAppExtensionAttributes` → `EXExtensionPointIdentifier`.
    package var extensionPointIdentifier: String?
    /// `EXAppExtensionAttributes` → `MDRequestedDomains`: internet domains an extension wants to reach.
    package var requestedDomains: [String] = []
    /// `MDESupportedProtocols`: protocol identifier to application identifier on the device, which may be empty.
    package var supportedProtocols: [String: String] = [:]
    /// `MDESupportsUniversalURLPlayback`.
    package var supportsUniversalURLPlayback = false
    /// `UTExportedTypeDeclarations`: the program's own types.
    package var exportedTypes: [TypeDeclaration] = []
    /// `UTImportedTypeDeclarations`: types of others that the program describes.
    package var importedTypes: [TypeDeclaration] = []
    /// `NSBonjourServices`: service types the program browses for.
    package var bonjourServices: [String] = []

    package init() {}

    /// The running program's information, or why it cannot be read; empty if the program has none. Read once.
    package static let loaded: Result<ProgramInformation, ProgramInformationError> = {
        do throws(ProgramInformationError) {
            return .success(try ProgramFolder.current.information())
        } catch {
            return .failure(error)
        }
    }()

    /// The running program's information; empty if there is none or it cannot be read.
    package static var current: ProgramInformation { (try? loaded.get()) ?? ProgramInformation() }

    /// Reads a property list.
    ///
    /// - Parameters:
    ///   - data: XML in UTF-8 or binary, at most ``ProgramInformationError/greatestSize`` bytes.
    ///   - path: Where it came from, for errors.
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

/// Why a program's `Info.plist` cannot be used.
package struct ProgramInformationError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Reason: Sendable, Hashable {
        /// The file cannot be opened; the system's own words.
        case unreadable(String)
        /// The file has more bytes than ``ProgramInformationError/greatestSize``.
        case tooLarge(Int)
        /// Collections inside collections, more than ``PropertyListGuard/greatestDepth``.
        case tooDeep
        /// Neither an XML property list in UTF-8 nor a binary one; the parser's words.
        case malformed(String)
        /// A value of another type than its key needs: `UTExportedTypeDeclarations[0].UTTypeIdentifier`.
        case wrongType(key: String, expected: String)
        /// A key that must be there is not.
        case missing(key: String)
    }

    /// The greatest size that is read, in bytes.
    package static let greatestSize = 1 << 20

    package var path: String
    package var reason: Reason

    package init(path: String, reason: Reason) {
        self.path = path
        self.reason = reason
    }

    /// One sentence for people.
    package var description: String {
        switch reason {
        case .unreadable(let cause): "\(path) cannot be read: \(cause)."
        case .tooLarge(let size): "\(path) has \(size) bytes; at most \(Self.greatestSize) are read."
        case .tooDeep: "\(path) is nested more than \(PropertyListGuard.greatestDepth) levels deep."
        case .malformed(let cause): "\(path) is no property list: \(cause)."
        case .wrongType(let key, let expected): "In \(path) the value of \(key) is not \(expected)."
        case .missing(let key): "In \(path) the key \(key) is missing."
        }
    }
}
