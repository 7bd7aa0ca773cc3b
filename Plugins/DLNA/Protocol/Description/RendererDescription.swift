package import Foundation

/// A media renderer, from its device description.
package struct RendererDescription: Sendable, Hashable {
    /// A service of the renderer with the addresses it is used at, all on the renderer's own host.
    package struct Service: Sendable, Hashable {
        package var type: URN
        package var descriptionURL: URL
        package var controlURL: URL
        /// `nil` if the service sends no events.
        package var eventURL: URL?
    }

    /// The unique device name with its `uuid:` prefix.
    package var deviceName: String
    package var type: URN
    package var friendlyName: String
    package var modelName: String?
    package var modelDescription: String?
    /// The URL of the description.
    package var location: URL
    package var transport: Service
    package var connections: Service
    /// `nil` for a renderer without volume.
    package var rendering: Service?
}

extension RendererDescription {
    /// Returns all renderers of a description, in document order. The root device can be one, and can embed others.
    ///
    /// - Parameters:
    ///   - document: The bytes of the description.
    ///   - location: The absolute `http` URL of the description. Relative references are resolved against it, or
    ///     against `URLBase` if that has the same host.
    /// - Throws: ``DLNAError``; `notRenderer` if no device can be used as a renderer.
    /// - Source: UPnP Device Architecture 1.1, section 2.3.
    package static func renderers(in document: some Sequence<UInt8>, location: URL) throws(DLNAError)
        -> [RendererDescription]
    {
        let root = try XMLReader.parse(document)
        guard root.name == "root" else { throw .unexpected(root.name) }
        guard let device = root.child("device") else { throw .missing("device") }
        let addresses = try DeviceAddresses(location: location, base: root.value("URLBase"))
        var renderers: [RendererDescription] = []
        collect(device, addresses, into: &renderers)
        guard !renderers.isEmpty else { throw .notRenderer }
        return renderers
    }

    private static func collect(
        _ device: XMLElement, _ addresses: DeviceAddresses, into renderers: inout [RendererDescription]
    ) {
        if let renderer = RendererDescription(device, addresses),
            !renderers.contains(where: { $0.deviceName == renderer.deviceName })
        {
            renderers.append(renderer)
        }
        for embedded in device.child("deviceList")?.children("device") ?? [] {
            collect(embedded, addresses, into: &renderers)
        }
    }

    private init?(_ device: XMLElement, _ addresses: DeviceAddresses) {
        guard let type = device.value("deviceType").flatMap(URN.init), type.kind == .device,
            type.name == "MediaRenderer", let deviceName = device.value("UDN")
        else { return nil }
        let services = device.child("serviceList")?.children("service").compactMap { Service($0, addresses) } ?? []
        guard let transport = services.first(where: { $0.type.name == "AVTransport" }),
            let connections = services.first(where: { $0.type.name == "ConnectionManager" })
        else { return nil }
        self.init(
            deviceName: deviceName, type: type,
            friendlyName: Self.shortened(device.value("friendlyName") ?? device.value("modelName") ?? deviceName),
            modelName: device.value("modelName"),
            modelDescription: device.value("modelDescription"), location: addresses.location, transport: transport,
            connections: connections, rendering: services.first { $0.type.name == "RenderingControl" })
    }
}

extension RendererDescription {
    /// Bytes of a name that are kept; the architecture asks for fewer than 64 characters.
    package static let longestName = 200

    /// Shortens a name to a number of bytes, because one character can have any number of them.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > longestName else { return name }
        var kept = String.UnicodeScalarView()
        var room = longestName - "…".utf8.count
        for scalar in name.unicodeScalars {
            room -= UTF8.width(scalar)
            guard room >= 0 else { break }
            kept.append(scalar)
        }
        return String(kept) + "…"
    }
}

extension RendererDescription.Service {
    fileprivate init?(_ element: XMLElement, _ addresses: DeviceAddresses) {
        guard let type = element.value("serviceType").flatMap(URN.init), type.kind == .service,
            let descriptionURL = element.value("SCPDURL").flatMap(addresses.resolve),
            let controlURL = element.value("controlURL").flatMap(addresses.resolve)
        else { return nil }
        self.init(
            type: type, descriptionURL: descriptionURL, controlURL: controlURL,
            eventURL: element.value("eventSubURL").flatMap(addresses.resolve))
    }
}
