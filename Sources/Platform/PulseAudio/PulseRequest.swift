import CPulseAudio

/// One request to PulseAudio and its result; used on the loop only.
final class PulseRequest {
    /// PA_VOLUME_NORM, a macro.
    static let fullVolume: UInt32 = 0x10000

    struct DefaultOutput {
        let level: PulseDefaultOutput.Level
        let channels: Int
    }

    struct Server {
        let cookie: UInt32
        let defaultOutput: String
    }

    struct ProgramStream {
        let index: UInt32
        /// The index of its output.
        let output: UInt32
        let client: UInt32?
        let processID: Int32?
    }

    private(set) var outputs: [PulseOutput] = []
    private(set) var defaultOutput: DefaultOutput?
    private(set) var server: Server?
    private(set) var streams: [ProgramStream] = []
    /// Names of outputs by their index.
    private(set) var outputNames: [UInt32: String] = [:]
    /// Processes by the index of their client.
    private(set) var processes: [UInt32: Int32] = [:]
    /// The index of the created object.
    private(set) var index: UInt32?
    private(set) var hasFailed = false
    private var isOver = false
    private var waiting: CheckedContinuation<Void, Never>?

    /// The user data for the callbacks below.
    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// Returns when the operation has ended, also if the connection was lost.
    func end(of operation: OpaquePointer, isolation: isolated (any Actor)? = #isolation) async {
        pa_operation_set_state_callback(
            operation,
            { operation, pointer in
                let request = PulseRequest.from(pointer)
                request?.isOver = true
                if pa_operation_get_state(operation) == PA_OPERATION_CANCELLED { request?.hasFailed = true }
                request?.waiting?.resume()
                request?.waiting = nil
            }, pointer)
        if !isOver { await withCheckedContinuation { waiting = $0 } }
        pa_operation_unref(operation)
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> PulseRequest? {
        pointer.map { Unmanaged<PulseRequest>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: Called by the library

    static let takeOutput: pa_sink_info_cb_t = { _, sink, end, pointer in
        if end < 0 { from(pointer)?.hasFailed = true }
        guard end == 0, let sink = sink?.pointee, let name = sink.name else { return }
        let output = PulseOutput(name: String(cString: name)) { key in
            pa_proplist_gets(sink.proplist, key).map { String(cString: $0) }
        }
        from(pointer)?.outputs.append(output)
    }

    static let takeDefaultOutput: pa_sink_info_cb_t = { _, sink, end, pointer in
        if end < 0 { from(pointer)?.hasFailed = true }
        guard end == 0, let sink = sink?.pointee else { return }
        var volume = sink.volume
        let level = PulseDefaultOutput.Level(
            name: sink.description.map { String(cString: $0) } ?? "",
            volume: min(1, Double(pa_cvolume_max(&volume)) / Double(fullVolume)), isMuted: sink.mute != 0)
        from(pointer)?.defaultOutput = DefaultOutput(level: level, channels: Int(volume.channels))
    }

    static let takeServer: pa_server_info_cb_t = { _, server, pointer in
        guard let server = server?.pointee else {
            from(pointer)?.hasFailed = true
            return
        }
        from(pointer)?.server = Server(
            cookie: server.cookie, defaultOutput: server.default_sink_name.map { String(cString: $0) } ?? "")
    }

    static let takeStream: pa_sink_input_info_cb_t = { _, stream, end, pointer in
        if end < 0 { from(pointer)?.hasFailed = true }
        guard end == 0, let stream = stream?.pointee else { return }
        let found = ProgramStream(
            index: stream.index, output: stream.sink, client: stream.client == .max ? nil : stream.client,
            processID: processID(stream.proplist))
        from(pointer)?.streams.append(found)
    }

    static let takeOutputName: pa_sink_info_cb_t = { _, sink, end, pointer in
        if end < 0 { from(pointer)?.hasFailed = true }
        guard end == 0, let sink = sink?.pointee, let name = sink.name else { return }
        from(pointer)?.outputNames[sink.index] = String(cString: name)
    }

    static let takeClient: pa_client_info_cb_t = { _, client, end, pointer in
        if end < 0 { from(pointer)?.hasFailed = true }
        guard end == 0, let client = client?.pointee else { return }
        from(pointer)?.processes[client.index] = processID(client.proplist)
    }

    private static func processID(_ properties: OpaquePointer?) -> Int32? {
        guard let properties else { return nil }
        // PipeWire itself knows the process of a client, whatever that says.
        for key in ["pipewire.sec.pid", "application.process.id"] {
            if let text = pa_proplist_gets(properties, key), let number = Int32(String(cString: text)) { return number }
        }
        return nil
    }

    static let takeIndex: pa_context_index_cb_t = { _, index, pointer in
        if index == .max { from(pointer)?.hasFailed = true } else { from(pointer)?.index = index }
    }

    static let takeSuccess: pa_context_success_cb_t = { _, isSuccess, pointer in
        if isSuccess == 0 { from(pointer)?.hasFailed = true }
    }
}
