import HostClient
import HostDoctor
import HostInterface

extension DeviceFacts {
    /// Reads the facts about the device a person means, and probes its endpoints.
    ///
    /// - Parameter remembered: The devices known before discovery; ``devices`` takes precedence.
    static func read(
        _ name: String, devices: [ClientDevice], remembered: [ClientDevice], extensions: [ClientExtension]
    ) async -> DeviceFacts {
        do throws(HostError) {
            return await DeviceFacts(try DeviceNaming.resolve(name, in: devices), extensions)
        } catch {
            // A device withdrawn meanwhile is still known.
            if error.code == .noSuchDevice, var device = try? DeviceNaming.resolve(name, in: remembered) {
                device.availability = "remembered"
                return await DeviceFacts(device, extensions)
            }
            var facts = DeviceFacts(name: name)
            facts.failure = error
            return facts
        }
    }
}
