import AppEntities
import Synchronization

/// The entities of items whose types have no place for them.
final class EntityShelf: Sendable {
    static let shared = EntityShelf()

    /// Items of one type.
    private struct Shelf {
        var entities: [String: [EntityIdentifier]] = [:]
        /// Identifiers, the one written last at the end.
        var order: [String] = []
    }

    private let shelves = Mutex<[ObjectIdentifier: Shelf]>([:])
    private let limit: Int

    init(limit: Int = 1_000) { self.limit = limit }

    func entities(of type: any MediaContentRepresentable.Type, _ id: String) -> [EntityIdentifier] {
        shelves.withLock { $0[ObjectIdentifier(type)]?.entities[id] ?? [] }
    }

    func keep(_ entities: [EntityIdentifier], of type: any MediaContentRepresentable.Type, _ id: String) {
        shelves.withLock { shelves in
            var shelf = shelves[ObjectIdentifier(type)] ?? Shelf()
            shelf.order.removeAll { $0 == id }
            shelf.entities[id] = entities.isEmpty ? nil : entities
            if !entities.isEmpty { shelf.order.append(id) }
            if shelf.order.count > limit { shelf.entities[shelf.order.removeFirst()] = nil }
            shelves[ObjectIdentifier(type)] = shelf.order.isEmpty ? nil : shelf
        }
    }
}
