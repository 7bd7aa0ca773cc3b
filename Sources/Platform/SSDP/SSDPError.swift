/// The reason a packet, a search target or a socket could not be used.
package enum SSDPError: Error, Sendable, Hashable {
    /// More than ``SSDPMessage/maximumSize`` bytes; the associated value is their number, if known.
    case tooLong(Int)
    case tooManyHeaders(Int)
    /// The first line is neither `NOTIFY`, `M-SEARCH` nor a response.
    case unknownStartLine
    /// A response with another status than 200.
    case unsuccessful(status: Int)
    /// An invalid header name, or a control character in a value; the associated value counts lines from 1.
    case malformedHeader(line: Int)
    /// A header the message cannot do without, by its upper-case name.
    case missingHeader(String)
    /// A header with a value that cannot be used, by its upper-case name.
    case invalidHeader(String)
    /// A search target that is empty, longer than 256 bytes, or not printable ASCII.
    case invalidTarget
    /// A system call failed: its name and `errno`.
    case system(call: String, number: Int32)
}
