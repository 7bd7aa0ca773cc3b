import CAvahi

/// A failure of Avahi: its stable number and its own sentence.
package struct AvahiError: Error, Sendable, Hashable {
    /// Avahi's negative error number; the set is open.
    package struct Code: RawRepresentable, Sendable, Hashable {
        package let rawValue: Int32
        package init(rawValue: Int32) { self.rawValue = rawValue }
        private init(_ constant: Int) { rawValue = Int32(constant) }

        package static let badState = Code(AVAHI_ERR_BAD_STATE)
        package static let invalidDomainName = Code(AVAHI_ERR_INVALID_DOMAIN_NAME)
        package static let invalidServiceType = Code(AVAHI_ERR_INVALID_SERVICE_TYPE)
        package static let timeout = Code(AVAHI_ERR_TIMEOUT)
        package static let tooManyObjects = Code(AVAHI_ERR_TOO_MANY_OBJECTS)
        package static let operatingSystem = Code(AVAHI_ERR_OS)
        package static let busFailure = Code(AVAHI_ERR_DBUS_ERROR)
        package static let disconnected = Code(AVAHI_ERR_DISCONNECTED)
        package static let noMemory = Code(AVAHI_ERR_NO_MEMORY)
        package static let noDaemon = Code(AVAHI_ERR_NO_DAEMON)
    }

    package let code: Code
    /// Avahi's sentence, e.g. `Invalid service type`; for people.
    package let message: String

    package init(_ code: Code) {
        self.code = code
        message = String(cString: avahi_strerror(code.rawValue))
    }

    init(number: Int32) {
        // A failed call that left no number behind is still a failure.
        self.init(Code(rawValue: number < 0 ? number : Int32(AVAHI_ERR_FAILURE)))
    }
}
