import HostInterface

extension DeviceDescription {
    /// A Boolean value that indicates whether the extension reads the media on this computer and streams it, because
    /// the device doesn't play URLs.
    var isFedFromHere: Bool { capabilities.contains(.realtimeAudio) && !capabilities.contains(.urlPlayback) }

    /// A Boolean value that indicates whether the device or its extension plays URLs.
    var playsAddresses: Bool { capabilities.contains(.urlPlayback) || isFedFromHere }

    /// A Boolean value that indicates whether the device plays sound as it is made: as samples, or as a stream from a
    /// URL. This computer itself would play the sound of its sink to the sink.
    var takesLiveSound: Bool {
        guard !endpoints.contains(ComputerSound.endpoint) else { return false }
        return capabilities.contains(.realtimeAudio) || playsAddresses && liveFormat != .unsupported
    }

    /// The numeric addresses that fetch the media: the device's, this computer's for its extension, or both if the
    /// extension chooses.
    var mediaReaders: [String] {
        let here = capabilities.contains(.realtimeAudio) ? ["127.0.0.1"] : []
        return isFedFromHere ? here : endpoints.compactMap(EndpointText.numericAddress) + here
    }
}
