import Synchronization

/// A value that a lock protects.
final class Locked<Value>: Sendable {
    private let value: Mutex<Value>

    init(_ value: sending Value) { self.value = Mutex(value) }

    func read<Result: Sendable>(_ body: (Value) -> Result) -> Result { value.withLock { body($0) } }
    func write(_ body: (inout Value) -> Void) { value.withLock { body(&$0) } }
}
