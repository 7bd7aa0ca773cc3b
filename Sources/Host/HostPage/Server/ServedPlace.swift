import Synchronization

/// The address at which the page is served now. Only its server writes it.
final class ServedPlace: Sendable {
    struct Place: Sendable {
        var port = 0
        var isInNetwork = false
    }

    private let place = Mutex(Place())

    var now: Place { place.withLock { $0 } }

    func set(_ value: Place) { place.withLock { $0 = value } }
}
