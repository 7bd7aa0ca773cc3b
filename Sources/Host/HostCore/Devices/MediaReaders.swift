import HostInterface

extension DeviceDescription {
    /// A Boolean value that indicates whether the extension reads the media on this computer and streams it, because
    /// the device doesn't play URLs.
    var isFedFromHere: Bool { capabilities.contains(.realtimeAudio) && !capabilities.contains(.urlPlayback) }

    /// A Boolean value that indicates whether the device or its extension plays URLs.
    var playsAddresses: Bool { capabilities.contains(.urlPlayback) || isFedFromHere }

    /// The numeric addresses that fetch the media: the device's, this computer's for its extension, or both if the
    /// extension chooses.
    var mediaReaders: [String] {
        let here = capabilities.contains(.realtimeAudio) ? ["127.0.0.1"] : []
        return isFedFromHere ? here : endpoints.compactMap(EndpointText.numericAddress) + here
    }
}
