import HostInterface

extension DeviceDescription {
    /// Whether its extension reads the media on this machine and sends samples: the device takes those, and no addresses.
    var isFedFromHere: Bool { capabilities.contains(.realtimeAudio) && !capabilities.contains(.urlPlayback) }

    /// Whether an address can be played on it, by the device itself or by its extension.
    var playsAddresses: Bool { capabilities.contains(.urlPlayback) || isFedFromHere }

    /// Numeric addresses of those who fetch what is played: the device's, in its order, or this machine's extension; both
    /// where the extension chooses.
    var mediaReaders: [String] {
        let here = capabilities.contains(.realtimeAudio) ? ["127.0.0.1"] : []
        return isFedFromHere ? here : endpoints.compactMap(EndpointText.numericAddress) + here
    }
}
