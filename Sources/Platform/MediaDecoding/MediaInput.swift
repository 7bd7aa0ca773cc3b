import CFFmpeg
import MediaReading

/// An opened source and its one stream of sound.
final class MediaInput {
    let facts: MediaFacts
    private var context: UnsafeMutablePointer<AVFormatContext>
    private let packet: UnsafeMutablePointer<AVPacket>
    private let stream: UnsafeMutablePointer<AVStream>
    private let decoder: UnsafePointer<AVCodec>
    private let stop: DecodingStop
    private let opener: TrustingOpener

    /// Returns the protocols allowed for a source and everything it refers to: a network source can't refer to a local
    /// file.
    private static func protocols(_ address: String) -> String {
        address.lowercased().hasPrefix("http") ? "http,https,tcp,tls,crypto" : "file"
    }

    /// Of media with sound, and the playlists that open their parts through ``TrustingOpener``: not those that name anything
    /// else to open (`concat`, `sdp`), or take hold of devices.
    private static let formats = [
        "aa,aac,ac3,act,aea,aiff,alaw,amr,amrnb,amrwb,ape,apm,asf,ast,au,avi,caf,dff,dsf,dts,dtshd,eac3,f32be,f32le,flac,flv",
        "hls,ilbc,iff,kux,loas,m4v,matroska,webm,mlp,mov,mp4,m4a,3gp,3g2,mj2,mp3,mpc,mpc8,mpeg,mpegts,mpegvideo,mulaw,mxf,nut",
        "ogg,oma,paf,qcp,rm,s16be,s16le,s24be,s24le,s32be,s32le,sbc,shn,sln,sox,spdif,svs,swf,tak,truehd,tta,voc,vqf,w64,wav",
        "wsd,wtv,wv,xa,xwma,webvtt",
    ].joined(separator: ",")

    private static func isOfThisMachine(_ address: String) -> Bool {
        ["http://127.0.0.1:", "http://[::1]:"].contains { address.lowercased().hasPrefix($0) }
    }

    /// Microseconds without a byte.
    private static let patience = "15000000"

    init(address: String, trust: CertificateTrust, stop: DecodingStop) throws(DecodingError) {
        self.stop = stop
        opener = TrustingOpener(trust)
        av_log_set_level(AV_LOG_FATAL)
        guard var context = avformat_alloc_context(), let packet = av_packet_alloc() else {
            throw .unreadable("no memory")
        }
        context.pointee.interrupt_callback = AVIOInterruptCB(
            callback: { pointer in
                guard let pointer else { return 0 }
                return Unmanaged<DecodingStop>.fromOpaque(pointer).takeUnretainedValue().isStopped ? 1 : 0
            }, opaque: Unmanaged.passUnretained(stop).toOpaque())
        opener.install(in: context)
        do throws(DecodingError) {
            (stream, decoder) = try Self.open(&context, address, trust)
            opener.soundIsFound()
        } catch {
            let error = Self.reason(error, opener)
            var unused: UnsafeMutablePointer<AVPacket>? = packet
            av_packet_free(&unused)
            throw error
        }
        self.context = context
        self.packet = packet
        facts = Self.facts(context, stream)
        // Pictures and data need not be read.
        for index in 0..<Int(context.pointee.nb_streams) where context.pointee.streams[index] != stream {
            context.pointee.streams[index]?.pointee.discard = AVDISCARD_ALL
        }
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
        var context: UnsafeMutablePointer<AVFormatContext>? = context
        avformat_close_input(&context)
    }

    /// FFmpeg says no more than that reading failed.
    private static func reason(_ error: DecodingError, _ opener: TrustingOpener) -> DecodingError {
        if opener.isExhausted { return .unsupported("its playlist has too many parts before the sound") }
        switch error {
        case .unreadable, .unsupported:
            return opener.refused.sorted().first { CertificateTrust.answersWithAnyCertificate($0) }
                .map { .untrusted($0) } ?? error
        case .untrusted, .noAudio, .cancelled: return error
        }
    }

    private static func open(
        _ context: inout UnsafeMutablePointer<AVFormatContext>, _ address: String, _ trust: CertificateTrust
    ) throws(DecodingError) -> (UnsafeMutablePointer<AVStream>, UnsafePointer<AVCodec>) {
        var options: OpaquePointer?
        av_dict_set(&options, "protocol_whitelist", protocols(address), 0)
        // The daemon is not silent because it is lost, but because a program that writes to it is.
        if !isOfThisMachine(address) { av_dict_set(&options, "rw_timeout", patience, 0) }
        av_dict_set(&options, "reconnect", "1", 0)
        av_dict_set(&options, "user_agent", "mdhost", 0)
        av_dict_set(&options, "format_whitelist", formats, 0)
        // A connection that is kept follows redirections with the exception of the server it was made to.
        if !trust.exempt.isEmpty { av_dict_set(&options, "http_persistent", "0", 0) }
        var opened: UnsafeMutablePointer<AVFormatContext>? = context
        let result = avformat_open_input(&opened, address, nil, &options)
        av_dict_free(&options)
        // It frees the context if it fails.
        guard result >= 0, let opened else { throw DecodingError(code: result, opening: true) }
        context = opened
        do throws(DecodingError) {
            let found = avformat_find_stream_info(opened, nil)
            guard found >= 0 else { throw DecodingError(code: found, opening: true) }
            var decoder: UnsafePointer<AVCodec>?
            let index = av_find_best_stream(opened, AVMEDIA_TYPE_AUDIO, -1, -1, &decoder, 0)
            guard index >= 0, let decoder, let stream = opened.pointee.streams[Int(index)] else { throw .noAudio }
            return (stream, decoder)
        } catch {
            var failed: UnsafeMutablePointer<AVFormatContext>? = opened
            avformat_close_input(&failed)
            throw error
        }
    }

    func openCodec() throws(DecodingError) -> UnsafeMutablePointer<AVCodecContext> {
        guard let codec = avcodec_alloc_context3(decoder) else { throw .unreadable("no memory") }
        avcodec_parameters_to_context(codec, stream.pointee.codecpar)
        codec.pointee.pkt_timebase = stream.pointee.time_base
        let result = avcodec_open2(codec, decoder, nil)
        guard result >= 0 else {
            var failed: UnsafeMutablePointer<AVCodecContext>? = codec
            avcodec_free_context(&failed)
            throw DecodingError(code: result, opening: true)
        }
        return codec
    }

    /// The next packet of the sound, to be unreferenced; `nil` at the end.
    func nextPacket() throws(DecodingError) -> UnsafeMutablePointer<AVPacket>? {
        while true {
            let result = av_read_frame(context, packet)
            if stop.isStopped {
                av_packet_unref(packet)
                throw .cancelled
            }
            if result == mdhost_av_end { return nil }
            guard result >= 0 else { throw DecodingError(code: result, opening: false) }
            if packet.pointee.stream_index == stream.pointee.index { return packet }
            av_packet_unref(packet)
        }
    }

    func seek(toSeconds seconds: Double) throws(DecodingError) {
        let base = stream.pointee.time_base
        let start = stream.pointee.start_time == mdhost_av_no_time ? 0 : stream.pointee.start_time
        let time = start + Int64(seconds * Double(base.den) / Double(max(1, base.num)))
        let result = av_seek_frame(context, stream.pointee.index, time, AVSEEK_FLAG_BACKWARD)
        guard result >= 0 else { throw DecodingError(code: result, opening: false) }
    }

    /// Seconds from the beginning; `nil` if the source does not tell.
    func seconds(_ timestamp: Int64) -> Double? {
        guard timestamp != mdhost_av_no_time else { return nil }
        let start = stream.pointee.start_time == mdhost_av_no_time ? 0 : stream.pointee.start_time
        let base = stream.pointee.time_base
        return Double(timestamp - start) * Double(base.num) / Double(max(1, base.den))
    }

    private static func facts(
        _ context: UnsafeMutablePointer<AVFormatContext>, _ stream: UnsafeMutablePointer<AVStream>
    ) -> MediaFacts {
        var tags: [String: String] = [:]
        // Ogg has them with the stream, everything else with the file.
        for dictionary in [stream.pointee.metadata, context.pointee.metadata] {
            var entry = mdhost_av_next(dictionary, nil)
            while let current = entry {
                let value = String(cString: current.pointee.value)
                if !value.isEmpty { tags[String(cString: current.pointee.key).lowercased()] = value }
                entry = mdhost_av_next(dictionary, current)
            }
        }
        let duration = context.pointee.duration
        let isSeekable = context.pointee.pb.map { $0.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 } ?? false
        return MediaFacts(
            duration: duration > 0 ? Double(duration) / Double(mdhost_av_time_base) : nil, title: tags["title"],
            artist: tags["artist"], album: tags["album"], genre: tags["genre"], picture: picture(context),
            isSeekable: isSeekable && duration > 0)
    }

    private static func picture(_ context: UnsafeMutablePointer<AVFormatContext>) -> MediaFacts.Picture? {
        for index in 0..<Int(context.pointee.nb_streams) {
            guard let stream = context.pointee.streams[index],
                stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0,
                let data = stream.pointee.attached_pic.data
            else { continue }
            let size = Int(stream.pointee.attached_pic.size)
            let type: String? =
                switch stream.pointee.codecpar.pointee.codec_id {
                case AV_CODEC_ID_MJPEG: "image/jpeg"
                case AV_CODEC_ID_PNG: "image/png"
                default: nil
                }
            guard let type, (1...MediaFacts.Picture.largest).contains(size) else { continue }
            return MediaFacts.Picture(contentType: type, bytes: Array(UnsafeBufferPointer(start: data, count: size)))
        }
        return nil
    }
}
