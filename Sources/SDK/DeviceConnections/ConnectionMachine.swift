/// A protocol over one connection, as a value without I/O: it is told what happens and returns what to do, in order.
///
/// ``DeviceConnection`` performs the actions. Tests need no network.
public protocol ConnectionMachine: Sendable {
    /// What may be asked of the device.
    associatedtype Request: Sendable
    /// The device's answer to a request, including its refusal.
    associatedtype Response: Sendable
    /// What the device says without being asked.
    associatedtype Notification: Sendable

    /// The transport is connected.
    mutating func connected() -> [ConnectionAction<Response, Notification>]

    /// Bytes arrived, in pieces of any size.
    mutating func received(_ bytes: [UInt8]) -> [ConnectionAction<Response, Notification>]

    /// Something is to be asked. Called only after ``ConnectionAction/ready``.
    mutating func submit(_ id: RequestID, _ request: Request) -> [ConnectionAction<Response, Notification>]

    /// The time of ``ConnectionAction/expect(within:)`` is over.
    mutating func timedOut() -> [ConnectionAction<Response, Notification>]
}

/// The number of a request on its connection.
public typealias RequestID = UInt64

/// What a ``ConnectionMachine`` wants done.
public enum ConnectionAction<Response: Sendable, Notification: Sendable>: Sendable {
    case send([UInt8])
    /// Requests may be submitted from now on.
    case ready
    case complete(RequestID, Response)
    case notify(Notification)
    /// Start the clock anew for what is waited for; `nil` stops it.
    case expect(within: Duration?)
    /// The connection is over; requests in flight fail with this.
    case close(TransportFailure)
}

extension ConnectionAction: Equatable where Response: Equatable, Notification: Equatable {}
