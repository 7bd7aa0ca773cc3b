import HostClient
import HostInterface

/// Two entries of the list that are reached by the same protocol, and so are usually two devices.
struct SameProtocol: Equatable {
    let names: [String]
    let protocolName: String

    /// Finds the first two; `nil` if the entries have different protocols. Parts of one device count as that device.
    init?(_ devices: [ClientDevice]) {
        for (index, device) in devices.enumerated() {
            for other in devices[..<index] where other.id != device.id {
                guard let shared = Self.protocols(of: device).first(where: Self.protocols(of: other).contains) else {
                    continue
                }
                names = [other.name, device.name]
                protocolName = shared
                return
            }
        }
        return nil
    }

    private static func protocols(of device: ClientDevice) -> [String] {
        device.parts.isEmpty ? [device.protocolName] : device.parts.map(\.protocolName)
    }

    var sentence: String {
        "\(names.joined(separator: " and ")) both use \(protocolName), so they are usually different devices."
    }
}
