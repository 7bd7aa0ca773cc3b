/// The times at which devices are looked for on account of sinks.
///
/// A program that plays to a missing device, and a person who added the sink of one, wait for it: discovery runs until it
/// is found. For sinks that were added by themselves, and for new devices, it runs now and then. Discovery takes eight
/// processes and about four wake-ups a second, asks every device each 8 s, and lets the Bluetooth adapters search for
/// half of the time; any other program's discovery serves as well.
enum SinkSearch {
    /// The time limit of the search when a program plays to the sink of an unknown device.
    static let limit = Duration.seconds(10)
    /// The time for new devices to be found; Bluetooth takes 10.5 s.
    static let look = Duration.seconds(12)
    /// From one look to the next.
    static let pause = Duration.seconds(300)
    /// The time for a device that has just gone to come back, after a restart for example.
    static let absence = Duration.seconds(300)
    /// The next look may begin together with other work.
    static let tolerance = Duration.seconds(10)
}
