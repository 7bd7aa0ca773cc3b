package import HostClient
import HostCore
import HostInterface
import Reachability

extension DeviceFacts {
    /// The time limit for a connection to an endpoint.
    private static let patience = Duration.milliseconds(1_500)

    /// Reads the known facts of a device, and probes its endpoints.
    package init(_ device: ClientDevice, _ extensions: [ClientExtension]) async {
        self.init(name: device.name)
        let own = extensions.first { $0.id == device.extension }
        isAvailable = device.availability == "ready"
        protocolName = device.ways
        self.extension = own?.name ?? device.extension
        extensionState = own?.state ?? ""
        lastError = device.lastError
        guard !isAvailable, let prober = try? EndpointProber() else { return }
        let networks = (try? InterfaceAddress.all()) ?? []
        for text in device.endpoints {
            guard let (address, port) = EndpointText.place(text),
                let endpoint = NumericEndpoint(address: address, port: port)
            else { continue }
            let answer = await prober.ask([endpoint], .connection, within: Self.patience)
            let bare = address.split(separator: "%").first.map(String.init) ?? address
            places.append(
                Place(
                    address: address, port: port, answer: .init(answer),
                    isNear: networks.contains { $0.isUp && $0.isSubnet(of: bare) }))
        }
    }
}

extension DeviceFacts.Place.Answer {
    fileprivate init(_ answer: ProbeAnswer) {
        switch answer {
        case .answered: self = .answered
        case .refused: self = .refused
        case .silent: self = .silent
        case .impossible: self = .impossible
        }
    }
}
