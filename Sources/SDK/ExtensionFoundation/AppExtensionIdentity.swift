/// An installed extension, as an app may know it.
///
/// Source: ExtensionFoundation, iOS 26 SDK.
public struct AppExtensionIdentity: Identifiable, Sendable, Hashable {
    /// The extension's bundle identifier.
    public let bundleIdentifier: String
    /// Its name for people.
    public let localizedName: String
    /// The name of the point where it plugs in.
    public let extensionPointIdentifier: String
    /// As ``bundleIdentifier``.
    public var id: String { bundleIdentifier }
}
