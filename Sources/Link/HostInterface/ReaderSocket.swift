package import DBus

/// The end of a packet socket on which a program of the host serves an extension with decoded media.
package struct ReaderSocket: Sendable, Hashable {
    package let descriptor: DBusDescriptor

    package init(_ descriptor: DBusDescriptor) { self.descriptor = descriptor }

    /// - Parameter number: Taken over.
    package init(received number: Int32) { self.init(DBusDescriptor(received: number)) }

    /// The number of the descriptor, which holds as long as this value does.
    package var number: Int32 { descriptor.number }
}
