import Foundation
import HostInterface

/// A new extension's package: a value, its files made from the name.
struct ExtensionTemplate {
    /// The source of the package's SDK dependency.
    enum Dependency: Equatable {
        case folder(String)
        /// The address of a Git repository.
        case repository(String)
    }

    private static let longestName = 40
    /// `NameExtension` would be a name the SDK has.
    private static let taken: Set<String> = ["app", "mediadevice"]

    let name: String
    /// The name as a type's: `LivingRoom`.
    let typeName: String
    /// The name as a service's: `living-room`.
    let serviceName: String
    let identifier: String
    let dependency: Dependency

    /// - Parameters:
    ///   - name: Letters, digits, hyphens and spaces; the first one a letter.
    ///   - identifier: The identifier of the protocol, such as `com.acme.kitchen`; `nil` for one below `org.example`.
    /// - Throws: ``HostError`` `invalid-argument`.
    init(name: String, identifier: String?, dependency: Dependency) throws(HostError) {
        let isName =
            name.utf8.count <= Self.longestName && name.first?.isLetter == true
            && name.unicodeScalars.allSatisfy {
                $0.isASCII && ($0.properties.isAlphabetic || "0123456789- ".unicodeScalars.contains($0))
            }
        guard isName else {
            throw HostError(
                .invalidArgument,
                "“\(name)” cannot be the name: it is 1 to \(Self.longestName) letters, digits, hyphens and spaces, the first "
                    + "one a letter.")
        }
        let words = name.split { $0 == "-" || $0 == " " }
        typeName = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
        guard !Self.taken.contains(typeName.lowercased()) else {
            throw HostError(.invalidArgument, "The SDK has the name \(typeName)Extension already: choose another one.")
        }
        // RFC 6335, 5.1: 15 characters, no hyphen at the ends and no two in a row.
        let service = words.joined(separator: "-").lowercased().prefix(15)
        serviceName = String(service.hasSuffix("-") ? service.dropLast() : service)
        self.name = name
        self.identifier = identifier ?? "org.example.\(serviceName)"
        guard Self.isIdentifier(self.identifier) else {
            throw HostError(
                .invalidArgument,
                "“\(self.identifier)” is no identifier: it is like com.example.kitchen, of letters, digits, hyphens, dots."
            )
        }
        self.dependency = dependency
    }

    /// Path inside the package to contents.
    var files: [String: String] {
        [
            "Package.swift": fill(TemplateFiles.package).replacing("«SDK»", with: dependencyLine),
            "README.md": fill(TemplateFiles.readme),
            ".gitignore": TemplateFiles.ignored,
            "Sources/\(typeName)Extension/\(typeName)Extension.swift": fill(TemplateSources.extension),
            "Sources/\(typeName)Extension/\(typeName)Player.swift": fill(TemplateSources.player),
            "Sources/\(typeName)Extension/\(typeName).mdext/Info.plist": fill(TemplateFiles.manifest),
            "Tests/\(typeName)ExtensionTests/\(typeName)ExtensionTests.swift": fill(TemplateFiles.tests),
        ]
    }

    private func fill(_ template: String) -> String {
        // In one pass: a name may have the template's own in it.
        template.replacing(/org\.example\.kitchen|Kitchen|kitchen/) { match in
            switch match.output {
            case "Kitchen": typeName
            case "kitchen": serviceName
            default: identifier
            }
        }
    }

    private var dependencyLine: String {
        switch dependency {
        case .folder(let path): ".package(name: \"mdhost\", path: \(Self.literal(path)))"
        case .repository(let url): ".package(url: \(Self.literal(url)), from: \"\(Version.current)\")"
        }
    }

    /// The text as a literal of Swift.
    private static func literal(_ text: String) -> String {
        "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

    private static func isIdentifier(_ text: String) -> Bool {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        return labels.count >= 2 && text.utf8.count <= 150
            && labels.allSatisfy { label in
                !label.isEmpty
                    && label.unicodeScalars.allSatisfy {
                        $0.isASCII && ($0.properties.isAlphabetic || "0123456789-".unicodeScalars.contains($0))
                    }
            }
    }

    /// Writes every file into a folder that does not exist yet.
    ///
    /// - Throws: ``HostError`` `invalid-argument` where something is there already, `storage-failed`.
    func write(to folder: String) throws(HostError) {
        let manager = FileManager.default
        guard !manager.fileExists(atPath: folder) else {
            throw HostError(.invalidArgument, "\(folder) exists already: give another place with --directory.")
        }
        do {
            for (path, contents) in files {
                let file = folder + "/" + path
                try manager.createDirectory(
                    atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
                try Data(contents.utf8).write(to: URL(filePath: file))
            }
        } catch {
            throw HostError(.storageFailed, "The package cannot be written: \(FailureReason.text(of: error))")
        }
    }
}
