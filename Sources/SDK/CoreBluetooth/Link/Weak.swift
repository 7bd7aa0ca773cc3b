/// Somebody who is not kept alive.
///
/// - Note: `@unchecked Sendable` because it is never changed, and what it names is used by those who may.
final class Weak<Object>: @unchecked Sendable {
    private weak var reference: AnyObject?

    init(_ object: Object?) { reference = object.map { $0 as AnyObject } }

    var object: Object? { reference as? Object }
}
