import ExtensionFoundation
import ExtensionProgram

/// What decides whether an extension takes its host's connection.
public protocol MediaDeviceExtensionConfiguration: AppExtensionConfiguration {}

extension MediaDeviceExtension {
    /// The default: takes the connection of a host that runs as the same user, or as root.
    public var configuration: some MediaDeviceExtensionConfiguration { SameUserConfiguration() }
}

struct SameUserConfiguration: MediaDeviceExtensionConfiguration {
    nonisolated func accept(connection: NSXPCConnection) -> Bool { connection.isOfSameUser }
}
