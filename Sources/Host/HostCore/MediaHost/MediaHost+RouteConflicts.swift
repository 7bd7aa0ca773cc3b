import HostInterface

/// Apps that want the same device.
extension MediaHost {
    /// Other apps' routes that end where this app gets the device.
    func competitors(of application: ApplicationDeclaration, on device: HostDevice) -> [ApplicationRoute] {
        let others = applicationRoutes.others(to: device.id, than: application.identifier)
        return others.filter { !takesSeveral($0) }
    }

    /// Device and extension both take several sessions at a time.
    private func takesSeveral(_ route: ApplicationRoute) -> Bool {
        (registry[route.device.id]?.description ?? route.device).supportsSimultaneousSessions
            && statuses[route.extensionIdentifier]?.supportsSimultaneousSessions == true
    }

    /// - Throws: ``HostError`` `device-in-use` if an app plays on the device that takes one app at a time.
    func checkNobodyPlays(on device: HostDevice, for application: ApplicationDeclaration) throws(HostError) {
        for other in competitors(of: application, on: device) {
            let plays = sessions.values.contains { session in
                session.owner == other.application && session.keepsOthersOut
                    && routes[session.deviceID]?.holders.contains(other.id) == true
            }
            guard plays else { continue }
            throw HostError(
                .deviceInUse,
                "\(other.applicationName) plays on \(device.description.name), which takes one app at a time.")
        }
    }
}
