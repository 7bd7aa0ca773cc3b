import HostClient
import HostDoctor
import HostInterface

extension DeviceFacts {
    /// What is known of the device a person means, and who answers where it is said to be.
    ///
    /// - Parameter remembered: What was known before anybody looked; ``devices`` counts first.
    static func read(
        _ name: String, devices: [ClientDevice], remembered: [ClientDevice], extensions: [ClientExtension]
    ) async -> DeviceFacts {
        do throws(HostError) {
            return await DeviceFacts(try DeviceNaming.resolve(name, in: devices), extensions)
        } catch {
            // One that was withdrawn meanwhile is known all the same.
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
