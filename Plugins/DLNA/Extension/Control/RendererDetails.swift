import DLNAProtocol
import Foundation

/// A renderer's description of itself.
struct RendererDetails: Sendable, Hashable {
    var description: RendererDescription
    /// The range of the volume; `nil` if the volume can't be set.
    var volume: VolumeScale?
    var canMute: Bool
    /// The unit for seeks, `REL_TIME` or `ABS_TIME`; `nil` if the renderer can't seek by time.
    var seekUnit: String?
    /// The supported formats; empty if the renderer doesn't list them.
    var formats: SinkFormats

    /// Fetches a device description, and returns the renderers in it.
    static func reading(_ location: URL, transport: any DeviceTransport) async throws(DeviceFailure)
        -> [RendererDetails]
    {
        let document = try await transport.document(at: location)
        let descriptions: [RendererDescription]
        do {
            descriptions = try RendererDescription.renderers(in: document.body, location: document.url)
        } catch {
            throw .unreadable(error)
        }
        // One after the other: how many there are, the device decides.
        var found: [RendererDetails] = []
        for description in descriptions { found.append(await reading(description, transport: transport)) }
        return found
    }

    /// Reads the descriptions of services and formats. A description that can't be read counts as missing; only the
    /// device's own is required.
    static func reading(
        _ description: RendererDescription, transport: any DeviceTransport
    ) async -> RendererDetails {
        async let rendering = service(description.rendering, transport)
        async let playback = service(description.transport, transport)
        async let formats = try? RendererClient(description, transport: transport).formats()
        let modes = await playback?.seekModes ?? ["REL_TIME"]
        return await RendererDetails(
            description: description, volume: rendering?.volumeRange.map(VolumeScale.init),
            canMute: rendering?.canMute ?? false,
            seekUnit: ["REL_TIME", "ABS_TIME"].first(where: modes.contains), formats: formats ?? SinkFormats(""))
    }

    private static func service(
        _ service: RendererDescription.Service?, _ transport: any DeviceTransport
    ) async -> ServiceDescription? {
        guard let service, let document = try? await transport.document(at: service.descriptionURL) else { return nil }
        return try? ServiceDescription(parsing: document.body)
    }
}

extension RendererDetails {
    /// A Boolean value that indicates whether the renderer has a screen, by its own description or else by its support
    /// for video.
    var hasScreen: Bool {
        let description = self.description
        let words = [description.friendlyName, description.modelName, description.modelDescription]
            .compactMap { $0?.lowercased() }.joined(separator: " ")
            .split { !$0.isLetter && !$0.isNumber }
        let named = { (names: Set<String>) in words.contains { names.contains(String($0)) } }
        if named(["tv", "television", "bravia", "projector", "display", "monitor", "viera"]) { return true }
        if named(["speaker", "soundbar", "audio", "radio", "amplifier", "amp", "receiver", "hifi", "music"]) {
            return false
        }
        return formats.takesVideo
    }
}
