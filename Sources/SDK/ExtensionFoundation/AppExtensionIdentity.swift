/// The identity of an installed extension.
///
/// Source: ExtensionFoundation, iOS 26 SDK.
public struct AppExtensionIdentity: Identifiable, Sendable, Hashable {
    /// The extension's bundle identifier.
    public let bundleIdentifier: String
    /// The name for people.
    public let localizedName: String
    /// The name of the extension point.
    public let extensionPointIdentifier: String
    /// The same as ``bundleIdentifier``.
    public var id: String { bundleIdentifier }
}
