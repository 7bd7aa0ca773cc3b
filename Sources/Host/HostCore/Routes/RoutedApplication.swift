/// An app that is routed to a device, for those that move its own sound there.
package struct RoutedApplication: Sendable, Hashable, Identifiable {
    /// ``ApplicationRoute/id``.
    package let id: String
    /// Identifier of the app.
    package let application: String
    package let applicationName: String
    /// The identifier of the device that people see.
    package let device: String
    package let takesLiveSound: Bool
    /// A Boolean value that indicates whether the device plays no URLs itself, so that the app's own sound is moved to it
    /// at once.
    package let takesSamplesOnly: Bool

    package init(
        id: String, application: String, applicationName: String, device: String, takesLiveSound: Bool,
        takesSamplesOnly: Bool
    ) {
        self.id = id
        self.application = application
        self.applicationName = applicationName
        self.device = device
        self.takesLiveSound = takesLiveSound
        self.takesSamplesOnly = takesSamplesOnly
    }
}
