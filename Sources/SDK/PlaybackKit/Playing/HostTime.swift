import MediaDevice

/// The local clock, on which playback positions are based.
enum HostTime {
    /// The host clock in seconds.
    static var now: Double { CMClockGetTime(.hostTimeClock).seconds }
}
