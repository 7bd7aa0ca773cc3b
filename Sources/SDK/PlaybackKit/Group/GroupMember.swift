/// A device that plays in step with others in a ``PlaybackGroup``.
///
/// The device loads the media without playing it, reports that it has data, and plays when it is told to
/// (``start(from:at:)``).
@MainActor
public protocol GroupMember: ClockedDevice {
    /// The device's last report of the group's playback, with ``PlaybackSnapshot/time`` on the *device's* clock.
    ///
    /// - `nil` while the device plays something else, and while it waits for data.
    /// - ``PlaybackSnapshot/isReady`` is `false` while the device waits for ``start(from:at:)``.
    /// - ``PlaybackSnapshot/isBuffering`` is `true` while the device waits for the time of its start.
    var groupReport: PlaybackSnapshot? { get }

    /// A Boolean value that indicates whether ``groupReport`` reflects all commands that were sent. Otherwise a
    /// difference isn't taken for a person's action at the device.
    var isSettled: Bool { get }

    /// The level of the device, with what was requested last. `nil` for what it doesn't have.
    var level: PlayerLevel { get }

    /// Sends the command to play from a position as of a time: the device waits for a future time, and continues from
    /// where it would be by now after a past one. It sends commands in the order of the calls.
    ///
    /// - Parameters:
    ///   - position: The position in seconds from the beginning of the media; not negative.
    ///   - time: The time in seconds of the device's clock, at most a few seconds from now.
    func start(from position: Double, at time: Double)

    /// Sends the command that performs a request.
    func perform(_ wish: PlayerWish)
}
