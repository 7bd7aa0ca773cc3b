import HostCore

/// The reason that an extension folder isn't used. Every case names the file, and most name the key.
package struct ExtensionManifestError: Error, Sendable, Hashable {
    package enum Reason: Sendable, Hashable {
        /// The system's own words.
        case unreadable(String)
        case notARegularFile
        /// Largest size accepted, in bytes.
        case tooLarge(limit: Int)
        /// The file isn't an XML property list in UTF-8, with the problem: a binary or old-style list, another encoding
        /// or broken XML.
        case notAPropertyList(String)
        case missingKey
        /// The value has a different type than expected.
        case wrongType(expected: String)
        /// A sentence fragment that follows the key: `must be …`.
        case invalidValue(String)
        case wrongExtensionPoint(found: String)
        /// Every place that was looked at.
        case executableMissing(lookedAt: [String])
        case executableNotRunnable(path: String)
        /// The bundle that has the identifier already.
        case duplicateIdentifier(identifier: String, first: String)
        /// The identifier differs from that of another bundle only in characters that D-Bus paths can't represent.
        case similarIdentifier(identifier: String, other: String, first: String)
    }

    /// The path of the `Info.plist`, or of the folder if the folder is the problem.
    package let file: String
    /// Key path with dots: `EXAppExtensionAttributes.EXExtensionPointIdentifier`.
    package let key: String?
    package let reason: Reason

    package init(file: String, key: String? = nil, _ reason: Reason) {
        self.file = file
        self.key = key
        self.reason = reason
    }

    /// One sentence for people.
    package var message: String {
        let key = key ?? "The property list"
        switch reason {
        case .unreadable(let why): return "\(file) cannot be read: \(why)."
        case .notARegularFile: return "\(file) is not a regular file."
        case .tooLarge(let limit): return "\(file) is larger than \(limit) bytes."
        case .notAPropertyList(let why): return "\(file) is not an XML property list: \(why)."
        case .missingKey: return "\(key) is missing in \(file)."
        case .wrongType(let expected): return "\(key) in \(file) must be \(expected)."
        case .invalidValue(let rule): return "\(key) in \(file) \(rule)."
        case .wrongExtensionPoint(let found):
            let points = ExtensionPoint.allCases.map { "“\($0.rawValue)”" }.joined(separator: " and ")
            return "\(key) in \(file) is “\(found)”; only \(points) are run here."
        case .executableMissing(let places):
            return "\(key) in \(file) names a program that does not exist: \(places.joined(separator: ", "))."
        case .executableNotRunnable(let path):
            return "\(key) in \(file) names \(path), which is not an executable file."
        case .duplicateIdentifier(let identifier, let first):
            return "\(key) in \(file) is “\(identifier)”, which \(first) has already; the first one found is used."
        case .similarIdentifier(let identifier, let other, let first):
            return
                "\(key) in \(file) is “\(identifier)”, too close to “\(other)” of \(first); the first one found is used."
        }
    }
}
