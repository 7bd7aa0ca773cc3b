import CScreenEncoding

/// A failed call of FFmpeg's libraries.
package struct ScreenEncodingError: Error, Sendable, Hashable {
    /// The end of a sentence.
    package let reason: String

    package init(_ reason: String) { self.reason = reason }

    init(code: Int32) {
        var text = [CChar](repeating: 0, count: 256)
        _ = av_strerror(code, &text, text.count)
        let length = text.firstIndex(of: 0) ?? text.count
        reason = String(decoding: text[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    @discardableResult
    static func check(_ code: Int32) throws(ScreenEncodingError) -> Int32 {
        guard code >= 0 else { throw ScreenEncodingError(code: code) }
        return code
    }

    static func unwrap<Value>(_ value: Value?, _ reason: String = "no memory") throws(ScreenEncodingError) -> Value {
        guard let value else { throw ScreenEncodingError(reason) }
        return value
    }
}
