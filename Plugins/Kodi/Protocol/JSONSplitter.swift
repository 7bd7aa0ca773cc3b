/// Cuts a stream of JSON objects without separators, as Kodi sends them over TCP, into single ones.
public struct JSONSplitter: Sendable {
    /// The longest object in bytes.
    public static let longest = 1 << 20

    /// An object is too long, or there are bytes between objects that aren't white space.
    public enum Failure: Error, Sendable, Hashable { case tooLong, notJSON }

    private var buffer: [UInt8] = []
    private var scanned = 0
    private var depth = 0
    private var isInString = false
    private var isEscaped = false

    public init() {}

    /// Appends bytes in pieces of any size.
    ///
    /// - Returns: The objects that are now complete.
    public mutating func append(_ bytes: some Collection<UInt8>) throws(Failure) -> [[UInt8]] {
        buffer += bytes
        var objects: [[UInt8]] = []
        var start = 0
        while scanned < buffer.count {
            let byte = buffer[scanned]
            scanned += 1
            if depth == 0 {
                guard byte == UInt8(ascii: "{") else {
                    guard [0x20, 0x09, 0x0a, 0x0d, 0x00].contains(byte) else { throw .notJSON }
                    start = scanned
                    continue
                }
                start = scanned - 1
                depth = 1
            } else if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else {
                    isInString = byte != UInt8(ascii: "\"")
                }
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte == UInt8(ascii: "{") || byte == UInt8(ascii: "[") {
                depth += 1
            } else if byte == UInt8(ascii: "}") || byte == UInt8(ascii: "]") {
                depth -= 1
                if depth == 0 {
                    objects.append(Array(buffer[start..<scanned]))
                    start = scanned
                }
            }
        }
        buffer.removeFirst(start)
        scanned -= start
        guard buffer.count <= Self.longest else { throw .tooLong }
        return objects
    }
}
