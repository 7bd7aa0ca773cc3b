public import ExtensionFoundation
import ExtensionProgram

/// A configuration that decides whether an extension accepts its host's connection.
public protocol MediaDeviceExtensionConfiguration: AppExtensionConfiguration {}

extension MediaDeviceExtension {
    /// The default configuration: it accepts a host that runs as the same user or as root.
    public var configuration: some MediaDeviceExtensionConfiguration { SameUserConfiguration() }
}

struct SameUserConfiguration: MediaDeviceExtensionConfiguration {
    nonisolated func accept(connection: NSXPCConnection) -> Bool { connection.isOfSameUser }
}
