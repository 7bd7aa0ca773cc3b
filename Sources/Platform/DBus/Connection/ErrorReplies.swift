import CSystemd

extension DBusError {
    /// Passes this error as a structure of sd-bus to `body`.
    ///
    /// The receiver would drop the connection because of an invalid error name, so it becomes ``Name/failed``.
    func withStructure(_ body: (UnsafePointer<sd_bus_error>) throws(DBusError) -> Void) throws(DBusError) {
        let valid = sd_bus_interface_name_is_valid(name) > 0 ? name : Name.failed
        let text = message.utf8.contains(0) ? message.replacing("\0", with: "�") : message
        var failure: DBusError?
        valid.withCString { name in
            text.withCString { message in
                var structure = sd_bus_error(name: name, message: message, _need_free: 0)
                do throws(DBusError) { try body(&structure) } catch { failure = error }
            }
        }
        if let failure { throw failure }
    }
}

extension DBusConnection {
    /// Answers a call, on the loop; values that don't match the method's declaration become an error reply.
    func reply(to call: MessageReference, _ result: Result<[DBusValue], DBusError>) {
        guard let driver, driver.phase == .running else { return }
        do throws(DBusError) {
            switch result {
            case .success(let values): try sendReply(to: call.pointer, values)
            case .failure(let error): try sendError(to: call.pointer, error)
            }
        } catch {
            try? sendError(to: call.pointer, error)
        }
        driver.settle()
    }

    private func sendReply(to call: OpaquePointer, _ values: [DBusValue]) throws(DBusError) {
        try withMessage({ sd_bus_message_new_method_return(call, $0) }, "reply") { message throws(DBusError) in
            try MessageWriter(message: message).append(values)
            let status = sd_bus_send(nil, message, nil)
            guard status < 0 else { return }
            let shape = values.map(\.signature).joined()
            throw DBusError(name: DBusError.Name.failed, message: "the reply “\(shape)” is not what is declared")
        }
    }

    private func sendError(to call: OpaquePointer, _ error: DBusError) throws(DBusError) {
        try error.withStructure { structure throws(DBusError) in
            try withMessage({ sd_bus_message_new_method_error(call, $0, structure) }, "reply") {
                message throws(DBusError) in
                try check(sd_bus_send(nil, message, nil), "reply")
            }
        }
    }
}
