import CFFmpeg

/// Sees that the rules of ``CertificateTrust`` hold for all that a source opens, such as the variants and parts of a playlist:
/// FFmpeg does not hand its options on to those.
final class TrustingOpener {
    private typealias Context = UnsafeMutablePointer<AVFormatContext>
    private typealias Input = UnsafeMutablePointer<UnsafeMutablePointer<AVIOContext>?>
    private typealias Options = UnsafeMutablePointer<OpaquePointer?>
    private typealias Open = @convention(c) (Context?, Input?, UnsafePointer<CChar>?, Int32, Options?) -> Int32

    /// A playlist that names itself as its variant would be read for ever.
    private static let mostBeforeSound = 64
    private static let mostRedirections = 8

    private let trust: CertificateTrust
    private var inner: Open?
    private var opened = 0
    /// Whether what is opened counts towards the limit: until the sound is found.
    private var isCounting = true
    private(set) var isExhausted = false
    /// The HTTPS servers that could not be opened, and have no exception.
    private(set) var refused: Set<String> = []

    init(_ trust: CertificateTrust) { self.trust = trust }

    /// The context has to go first.
    func install(in context: UnsafeMutablePointer<AVFormatContext>) {
        inner = context.pointee.io_open
        context.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        context.pointee.io_open = { context, input, address, flags, options in
            guard let context, let input, let address, let pointer = context.pointee.opaque else {
                return mdhost_av_exit
            }
            let opener = Unmanaged<TrustingOpener>.fromOpaque(pointer).takeUnretainedValue()
            return opener.open(context, input, String(cString: address), flags, options)
        }
    }

    /// From now on only the parts are opened, one after another.
    func soundIsFound() { isCounting = false }

    private func open(
        _ context: Context, _ input: Input, _ address: String, _ flags: Int32, _ options: Options?
    ) -> Int32 {
        var address = address
        for _ in 0...Self.mostRedirections {
            if isCounting {
                opened += 1
                isExhausted = opened > Self.mostBeforeSound
                guard !isExhausted else { return mdhost_av_invalid_data }
            }
            var own: OpaquePointer?
            defer { av_dict_free(&own) }
            // Those that are used are taken out, and are needed again behind a redirection.
            if let options { av_dict_copy(&own, options.pointee, 0) }
            trust.options(for: address, &own)
            let result = inner?(context, input, address, flags, &own) ?? mdhost_av_exit
            let server = CertificateTrust.server(of: address)
            guard result >= 0 else {
                if let server, !trust.exempt.contains(server), refused.count < Self.mostRedirections {
                    refused.insert(server)
                }
                return result
            }
            // The exception of a server is none for those it redirects to.
            guard let server, trust.exempt.contains(server), let place = location(of: input.pointee),
                let next = CertificateTrust.server(of: place), next != server
            else { return result }
            avio_closep(input)
            address = place
        }
        return mdhost_av_invalid_data
    }

    /// Where an answer came from in the end.
    private func location(of input: UnsafeMutablePointer<AVIOContext>?) -> String? {
        var text: UnsafeMutablePointer<UInt8>?
        guard av_opt_get(input, "location", mdhost_av_search_children, &text) >= 0, let text else { return nil }
        defer { av_free(text) }
        return String(cString: text)
    }
}
