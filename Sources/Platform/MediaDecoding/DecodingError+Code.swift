import CFFmpeg
import MediaReading

extension DecodingError {
    private static let aboutFormat = [
        mdhost_av_invalid_data, mdhost_av_no_decoder, mdhost_av_no_demuxer, mdhost_av_unsupported,
    ]

    init(code: Int32, opening: Bool) {
        var text = [CChar](repeating: 0, count: 256)
        _ = av_strerror(code, &text, text.count)
        let length = text.firstIndex(of: 0) ?? text.count
        let reason = String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        if code == mdhost_av_exit {
            self = .cancelled
        } else if opening, Self.aboutFormat.contains(code) {
            self = .unsupported(reason)
        } else {
            self = .unreadable(reason)
        }
    }
}
