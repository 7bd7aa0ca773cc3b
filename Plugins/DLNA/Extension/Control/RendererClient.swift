import DLNAProtocol
import DeviceConnections
import Foundation

/// A client for the actions of one renderer.
struct RendererClient: Sendable {
    let description: RendererDescription
    private let transport: any DeviceTransport

    init(_ description: RendererDescription, transport: any DeviceTransport) {
        self.description = description
        self.transport = transport
    }

    // MARK: AVTransport

    func setURI(_ uri: String, metadata: String) async throws(DeviceFailure) {
        _ = try await call(AVTransport.setURI(uri, metadata: metadata, description.transport.type))
    }

    func play() async throws(DeviceFailure) { _ = try await call(AVTransport.play(description.transport.type)) }
    func pause() async throws(DeviceFailure) { _ = try await call(AVTransport.pause(description.transport.type)) }
    func stop() async throws(DeviceFailure) { _ = try await call(AVTransport.stop(description.transport.type)) }

    /// - Parameter unit: `REL_TIME` or `ABS_TIME`.
    func seek(to seconds: Double, unit: String) async throws(DeviceFailure) {
        _ = try await call(AVTransport.seek(to: seconds, unit: unit, description.transport.type))
    }

    func transportInfo() async throws(DeviceFailure) -> TransportInfo {
        try await call(AVTransport.transportInfo(description.transport.type), read: TransportInfo.init)
    }

    func positionInfo() async throws(DeviceFailure) -> PositionInfo {
        PositionInfo(try await call(AVTransport.positionInfo(description.transport.type)))
    }

    /// The address of the loaded media; empty if none.
    func mediaURI() async throws(DeviceFailure) -> String {
        try await call(AVTransport.mediaInfo(description.transport.type))["CurrentURI"] ?? ""
    }

    // MARK: RenderingControl

    /// Returns the volume in the device's own range.
    func volume() async throws(DeviceFailure) -> Int {
        try await call(RenderingControl.volume(rendering().type), read: RenderingControl.volume(in:))
    }

    func isMuted() async throws(DeviceFailure) -> Bool {
        try await call(RenderingControl.mute(rendering().type), read: RenderingControl.mute(in:))
    }

    func setVolume(_ level: Int) async throws(DeviceFailure) {
        _ = try await call(RenderingControl.setVolume(level, rendering().type))
    }

    func setMute(_ isMuted: Bool) async throws(DeviceFailure) {
        _ = try await call(RenderingControl.setMute(isMuted, rendering().type))
    }

    private func rendering() throws(DeviceFailure) -> RendererDescription.Service {
        guard let rendering = description.rendering else { throw .noService("RenderingControl") }
        return rendering
    }

    // MARK: ConnectionManager

    func formats() async throws(DeviceFailure) -> SinkFormats {
        try await call(
            ConnectionManager.protocolInfo(description.connections.type), read: ConnectionManager.formats(in:))
    }

    // MARK: Inside

    private func call(_ request: SOAPRequest) async throws(DeviceFailure) -> [String: String] {
        let services = [description.transport, description.connections] + [description.rendering].compactMap { $0 }
        guard let service = services.first(where: { $0.type == request.service }) else {
            throw .noService(request.service.name)
        }
        let answer = try await transport.send(
            DeviceRequest(
                method: "POST", url: service.controlURL,
                headers: [
                    "Content-Type": #"text/xml; charset="utf-8""#, "SOAPAction": request.actionHeader,
                ], body: Array(request.body.utf8)))
        // Some renderers send errors with status 200; the body decides.
        let response: SOAPResponse
        do throws(DLNAError) {
            response = try SOAPResponse(parsing: answer.body, action: request.action)
        } catch {
            throw answer.isSuccess ? .unreadable(error) : .status(answer.status)
        }
        switch response {
        case .success(let values): return values
        case .fault(let fault): throw .fault(fault)
        }
    }

    /// Calls an action, and reads its answer.
    private func call<Value>(
        _ request: SOAPRequest, read: ([String: String]) throws(DLNAError) -> Value
    ) async throws(DeviceFailure) -> Value {
        let values = try await call(request)
        do { return try read(values) } catch { throw .unreadable(error) }
    }
}
