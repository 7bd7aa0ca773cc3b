/// A weak reference.
///
/// - Note: `@unchecked Sendable` because the reference never changes; the users of the object respect its isolation.
final class Weak<Object>: @unchecked Sendable {
    private weak var reference: AnyObject?

    init(_ object: Object?) { reference = object.map { $0 as AnyObject } }

    var object: Object? { reference as? Object }
}
