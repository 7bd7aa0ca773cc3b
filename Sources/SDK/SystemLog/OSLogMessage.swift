import Foundation
import HostInterface

/// A message with values, some of which are private.
///
/// By default, numbers, Booleans and types are public, and all other values are private.
///
/// Source: os, iOS 27 SDK.
public struct OSLogMessage: ExpressibleByStringInterpolation, Sendable {
    let text: String

    /// Creates a message without values.
    public init(stringLiteral value: String) { text = PrivateText.shown(value) }

    /// Creates a message with values.
    public init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
}

/// The builder of a message.
public struct OSLogInterpolation: StringInterpolationProtocol, Sendable {
    private(set) var text = ""

    /// Creates an empty message.
    public init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

    /// Appends literal text.
    public mutating func appendLiteral(_ literal: String) { text += PrivateText.shown(literal) }

    /// Appends a string.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> String, align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(align.apply(value()), privacy, isPublic: false)
    }

    /// Appends the description of an object.
    @_disfavoredOverload
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> some CustomStringConvertible, align: OSLogStringAlignment = .none,
        privacy: OSLogPrivacy = .auto
    ) {
        append(align.apply(value().description), privacy, isPublic: false)
    }

    /// Appends the name of a type, which is public.
    public mutating func appendInterpolation(_ value: @autoclosure () -> Any.Type, privacy: OSLogPrivacy = .auto) {
        append(String(reflecting: value()), privacy, isPublic: true)
    }

    /// Appends the description of an error.
    public mutating func appendInterpolation(_ value: @autoclosure () -> any Error, privacy: OSLogPrivacy = .auto) {
        append(String(describing: value()), privacy, isPublic: false)
    }

    /// Appends an optional value.
    @_disfavoredOverload
    public mutating func appendInterpolation<Value>(_ value: @autoclosure () -> Value?, privacy: OSLogPrivacy = .auto) {
        append(value().map { String(describing: $0) } ?? "nil", privacy, isPublic: false)
    }

    /// Appends an integer.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> some FixedWidthInteger, format: OSLogIntegerFormatting = .decimal,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(align.apply(format.apply(value())), privacy, isPublic: true)
    }

    /// Appends a floating-point number.
    public mutating func appendInterpolation(
        _ value: @autoclosure () -> some BinaryFloatingPoint, format: OSLogFloatFormatting = .fixed,
        align: OSLogStringAlignment = .none, privacy: OSLogPrivacy = .auto
    ) {
        append(align.apply(format.apply(Double(value()))), privacy, isPublic: true)
    }

    /// Appends a Boolean value.
    public mutating func appendInterpolation(_ value: @autoclosure () -> Bool, privacy: OSLogPrivacy = .auto) {
        append("\(value())", privacy, isPublic: true)
    }

    private mutating func append(_ value: String, _ privacy: OSLogPrivacy, isPublic: Bool) {
        text += privacy.apply(value, isPublic: isPublic)
    }
}
