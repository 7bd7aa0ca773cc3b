public import Foundation
public import MediaDevice

/// An extension's manifest, the `Info.plist` of its `.mdext` folder, for tests that compare it with the program.
///
/// The system reads the manifest without running the program: the program isn't allowed to do anything that the
/// manifest doesn't declare.
public struct ExtensionManifest: Sendable, Hashable {
    /// `CFBundleIdentifier`
    public let identifier: String
    /// `CFBundleExecutable`
    public let executable: String
    /// `EXExtensionPointIdentifier`
    public let extensionPoint: String
    /// `MDRequestedDomains`
    public let requestedDomains: [String]
    /// `UTExportedTypeDeclarations`: identifier of a type to the types it conforms to.
    public let exportedTypes: [String: [String]]
    /// `NSBonjourServices`, in order.
    public let bonjourServices: [String]
    /// `MDHostSSDPSearchTargets`, in order.
    public let searchTargets: [String]
    /// `MDHostAnnouncedServices`, in order.
    public let announcedServices: [String]
    /// `MDHostTakesReverseConnections`
    public let takesReverseConnections: Bool

    /// Reads a manifest.
    ///
    /// - Parameter file: The `Info.plist`.
    /// - Throws: An error of Foundation if the file can't be read, or lacks a key that every manifest has.
    public init(contentsOf file: URL) throws {
        let list = try PropertyListDecoder().decode(PropertyList.self, from: Data(contentsOf: file))
        identifier = list.CFBundleIdentifier
        executable = list.CFBundleExecutable
        extensionPoint = list.EXAppExtensionAttributes.EXExtensionPointIdentifier
        requestedDomains = list.EXAppExtensionAttributes.MDRequestedDomains ?? []
        exportedTypes = Dictionary(
            list.UTExportedTypeDeclarations.map { ($0.UTTypeIdentifier, $0.UTTypeConformsTo) },
            uniquingKeysWith: { first, _ in first })
        bonjourServices = list.NSBonjourServices ?? []
        searchTargets = list.MDHostSSDPSearchTargets ?? []
        announcedServices = list.MDHostAnnouncedServices ?? []
        takesReverseConnections = list.MDHostTakesReverseConnections ?? false
    }

    /// Sentences about the differences from the program; empty if there are none.
    @MainActor
    public func mismatches(with program: any MediaDeviceExtension) -> [String] {
        var sentences: [String] = []
        if extensionPoint != "com.apple.media-device-extension" {
            sentences.append("The extension point is “\(extensionPoint)”, not “com.apple.media-device-extension”.")
        }
        let type = program.protocolType.identifier
        if let parents = exportedTypes[type] {
            if !parents.contains("public.media-sharing-protocol") {
                sentences.append("“\(type)” doesn't conform to “public.media-sharing-protocol”.")
            }
        } else {
            sentences.append("The program's protocol “\(type)” isn't among the exported types.")
        }
        return sentences
    }

    private struct PropertyList: Decodable {
        struct Attributes: Decodable {
            let EXExtensionPointIdentifier: String
            let MDRequestedDomains: [String]?
        }
        struct Declaration: Decodable {
            let UTTypeIdentifier: String
            let UTTypeConformsTo: [String]
        }
        let CFBundleIdentifier: String
        let CFBundleExecutable: String
        let EXAppExtensionAttributes: Attributes
        let UTExportedTypeDeclarations: [Declaration]
        let NSBonjourServices: [String]?
        let MDHostSSDPSearchTargets: [String]?
        let MDHostAnnouncedServices: [String]?
        let MDHostTakesReverseConnections: Bool?
    }
}
