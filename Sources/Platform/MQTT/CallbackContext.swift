import CMosquitto

/// The context that leads a C callback back to the actor, which keeps it.
///
/// - Note: `@unchecked Sendable` because it is set before there is a connection, and then read only by its thread.
final class CallbackContext: @unchecked Sendable {
    weak var connection: MQTTConnection?

    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static func connection(_ pointer: UnsafeMutableRawPointer?) -> MQTTConnection? {
        pointer.flatMap { Unmanaged<CallbackContext>.fromOpaque($0).takeUnretainedValue().connection }
    }
}

extension MQTTConnection {
    /// Has the library call this actor.
    func setCallbacks(_ handle: OpaquePointer) {
        mosquitto_connect_v5_callback_set(handle) { _, context, reason, flags, _ in
            CallbackContext.connection(context)?.assumeIsolated {
                $0.connected(reason, isSessionPresent: flags & 1 != 0)
            }
        }
        mosquitto_disconnect_v5_callback_set(handle) { _, context, reason, _ in
            CallbackContext.connection(context)?.assumeIsolated { $0.disconnected(reason) }
        }
        mosquitto_publish_v5_callback_set(handle) { _, context, number, reason, _ in
            CallbackContext.connection(context)?.assumeIsolated { $0.answered(number, reason) }
        }
        mosquitto_subscribe_v5_callback_set(handle) { _, context, number, count, granted, _ in
            let reason = count > 0 ? granted?.pointee ?? 0x80 : 0x80
            CallbackContext.connection(context)?.assumeIsolated { $0.answered(number, reason) }
        }
        mosquitto_unsubscribe_v5_callback_set(handle) { _, context, number, _ in
            CallbackContext.connection(context)?.assumeIsolated { $0.answered(number, 0) }
        }
        mosquitto_message_v5_callback_set(handle) { _, context, message, _ in
            guard let message = message?.pointee, let topic = message.topic else { return }
            let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(max(0, message.payloadlen)))
            let copy = MQTTMessage(
                topic: String(cString: topic), payload: Array(payload), isRetained: message.retain)
            CallbackContext.connection(context)?.assumeIsolated { $0.received(copy) }
        }
    }
}
