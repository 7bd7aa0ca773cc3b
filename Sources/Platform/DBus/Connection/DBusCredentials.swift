import Glibc

/// The process at the other end of a Unix socket as known by the kernel (`SO_PEERCRED`): at the time of `connect`, or
/// of the creation of a socket pair.
package struct DBusCredentials: Sendable, Hashable {
    package let userID: UInt32
    package let groupID: UInt32
    package let processID: Int32

    package init(userID: UInt32, groupID: UInt32, processID: Int32) {
        self.userID = userID
        self.groupID = groupID
        self.processID = processID
    }

    /// `nil` for anything but a connected Unix socket.
    init?(socket: Int32) {
        // struct ucred of socket(7): process, user, group.
        var fields: (Int32, UInt32, UInt32) = (0, 0, 0)
        let expected = socklen_t(MemoryLayout.size(ofValue: fields))
        var size = expected
        guard getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &fields, &size) == 0, size == expected, fields.0 > 0 else {
            return nil
        }
        self.init(userID: fields.1, groupID: fields.2, processID: fields.0)
    }
}
