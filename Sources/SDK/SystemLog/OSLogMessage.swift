import Foundation
import HostInterface

/// The text of a message with its values, some of which are private.
///
/// Numbers and Booleans are public unless they are marked, everything else is private unless it is marked.
///
/// Source: os, iOS 27 SDK.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    let text: String

    /// A message without values.
    public init(stringLiteral value: String) { text = PrivateText.shown(value) }

    /// A message with values.
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// Builds a message.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    private(set) var text = ""

    /// Begins a message.
    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    /// Adds what stands in the source.
    public mutating func appendLiteral(_ literal: String) { text += PrivateText.shown(literal) }

    /// Adds text.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(align.apply(value()), privacy, isPublic: false)
    }

    /// Adds an object by its description.
    @_disfavoredOverload
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> some CustomStringConvertible, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        append(align.apply(value().description), privacy, isPublic: false)
    }

    /// Adds a type by its name, which is public.
    public mutating func appendInterpolation(_ value: @autoclosure () -> Any.Type, privacy: OSLogPrivacy = .auto) {
        append(String(reflecting: value()), privacy, isPublic: true)
    }

    /// Adds an error by its own words.
    public mutating func appendInterpolation(_ value: @autoclosure () -> any Error, privacy: OSLogPrivacy = .auto) {
        append(String(describing: value()), privacy, isPublic: false)
    }

    /// Adds what may be absent.
    @_disfavoredOverload
    public mutating func appendInterpolation<Value>(_ value: @autoclosure () -> Value?, privacy: OSLogPrivacy = .auto) {
        append(value().map { String(describing: $0) } ?? "nil", privacy, isPublic: false)
    }

    /// Adds an integer.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> some FixedWidthInteger, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(align.apply(format.apply(value())), privacy, isPublic: true)
    }

    /// Adds a number.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> some BinaryFloatingPoint, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(align.apply(format.apply(Double(value()))), privacy, isPublic: true)
    }

    /// Adds a Boolean.
    public mutating func appendInterpolation(_ value: @autoclosure () -> Bool, privacy: OSLogPrivacy = .auto) {
        append("\(value())", privacy, isPublic: true)
    }

    private mutating func append(_ value: String, _ privacy: OSLogPrivacy, isPublic: Bool) {
        text += privacy.apply(value, isPublic: isPublic)
    }
}
