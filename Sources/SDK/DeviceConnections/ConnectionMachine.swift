/// A protocol over one connection as a value without I/O: it receives events and returns actions, in order.
///
/// ``DeviceConnection`` performs the actions. Tests need no network.
public protocol ConnectionMachine: Sendable {
    /// A request to the device.
    associatedtype Request: Sendable
    /// The device's answer to a request, including a refusal.
    associatedtype Response: Sendable
    /// A message that the device sends without a request.
    associatedtype Notification: Sendable

    /// Processes the connection of the transport.
    mutating func connected() -> [ConnectionAction<Response, Notification>]

    /// Processes bytes that arrived, in pieces of any size.
    mutating func received(_ bytes: [UInt8]) -> [ConnectionAction<Response, Notification>]

    /// Submits a request. ``DeviceConnection`` calls it only after ``ConnectionAction/ready``.
    mutating func submit(_ id: RequestID, _ request: Request) -> [ConnectionAction<Response, Notification>]

    /// Processes the end of the time set by ``ConnectionAction/expect(within:)``.
    mutating func timedOut() -> [ConnectionAction<Response, Notification>]
}

/// The number of a request, unique on its connection.
public typealias RequestID = UInt64

/// An action that a ``ConnectionMachine`` asks its connection to perform.
public enum ConnectionAction<Response: Sendable, Notification: Sendable>: Sendable {
    /// Sends bytes to the device.
    case send([UInt8])
    /// Opens the connection for requests.
    case ready
    /// Answers a request with its response.
    case complete(RequestID, Response)
    /// Appends a notification to ``DeviceConnection/notifications``.
    case notify(Notification)
    /// Restarts the timer for the expected answer; `nil` stops it.
    case expect(within: Duration?)
    /// Closes the connection. Requests in flight fail with this error.
    case close(TransportFailure)
}

extension ConnectionAction: Equatable where Response: Equatable, Notification: Equatable {}
