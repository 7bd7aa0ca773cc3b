import HostInterface

/// The rules for groups: the SDK's `canGroupWithCurrentlyActivatedDevices`, volume and sessions.
enum GroupRule {
    /// Checks that two devices can be used together.
    ///
    /// - Throws: ``HostError`` `cannot-group` with the reason, `not-supported` for an application, or
    ///   `invalid-argument` for a device with itself.
    static func check(_ device: HostDevice, with other: HostDevice, application: String? = nil) throws(HostError) {
        let (name, otherName) = (device.description.name, other.description.name)
        guard device.id != other.id else {
            throw HostError(.invalidArgument, "\(name) is one device, not two to use together.")
        }
        guard device.extensionIdentifier == other.extensionIdentifier else {
            throw HostError(
                .cannotGroup,
                "\(name) (\(device.protocolName)) and \(otherName) (\(other.protocolName)) speak different protocols.")
        }
        for one in [device, other] where !one.description.canGroup {
            throw HostError(.cannotGroup, "\(one.description.name) can only be used by itself.")
        }
        guard device.description.volumeControl == other.description.volumeControl else {
            throw HostError(
                .cannotGroup,
                "\(name) and \(otherName) cannot be used together: their volume is changed in different ways.")
        }
        guard application == nil else {
            throw HostError(.notSupported, "An application runs on one device, not on several together.")
        }
    }
}
