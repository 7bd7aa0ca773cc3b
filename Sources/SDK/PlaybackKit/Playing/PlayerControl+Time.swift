public import MediaDevice

/// The position, the speed, and scanning.
extension PlayerControl {
    /// The choices of a person that aren't requests to the device.
    struct Scanning {
        /// The speed for the next scan; `nil` for the one nearest to 8 times normal speed.
        var speed: Double?
        /// A Boolean value that indicates whether a person moves a slider.
        var isScrubbing = false
    }

    // MARK: Position

    private var isSeekable: Bool { snapshot.canSeek && !snapshot.isLive }
    public var timeRange: CMTimeRange { CMTimeRange(start: .zero, duration: Self.time(snapshot.duration ?? 0)) }
    public var seekableTimeRanges: [CMTimeRange]? { isSeekable ? nil : [] }
    public var segments: [AVPlaybackUserInterfaceTimelineSegment] {
        snapshot.segments.isEmpty ? [currentSegment] : snapshot.segments
    }

    public var supportedSeekCapabilities: AVPlaybackUserInterfaceSeekCapabilities {
        var capabilities: AVPlaybackUserInterfaceSeekCapabilities = isSeekable ? .seek : []
        if snapshot.scanSpeeds.contains(where: { $0 > 0 }) { capabilities.insert(.scanForward) }
        if snapshot.scanSpeeds.contains(where: { $0 < 0 }) { capabilities.insert(.scanBackward) }
        return capabilities
    }

    public func seek(to position: CMTime, tolerance: CMTime) {
        guard isSeekable else { return PlaybackRefusal.refuse("You can't seek in this.") }
        guard position.isNumeric else { return }
        let target = max(0, position.seconds)
        ask(.seek(snapshot.duration.map { min($0, target) } ?? target))
    }

    // MARK: Speed

    public var playbackSpeed: Float {
        get { if case .setSpeed(let speed)? = asked[.speed] { Float(speed) } else { Float(snapshot.speed) } }
        set {
            let speeds = snapshot.speeds
            guard let slowest = speeds.min(), let fastest = speeds.max() else {
                return PlaybackRefusal.refuse("This device plays at one speed.")
            }
            let wanted = Double(newValue)
            guard (slowest...fastest).contains(wanted) else {
                return PlaybackRefusal.refuse("This device plays at speeds from \(slowest) to \(fastest).")
            }
            // The nearest speed that the device has.
            if let speed = Self.nearest(wanted, of: speeds) { ask(.setSpeed(speed)) }
        }
    }

    /// The speed of the scan, or of the next one.
    public var scanSpeed: Float {
        get {
            if case .scan(let speed)? = asked[.scan], speed != 0 { return Float(speed) }
            if snapshot.scanSpeed != 0 { return Float(snapshot.scanSpeed) }
            return Float(nextScanSpeed ?? 0)
        }
        set {
            let wanted = Double(newValue)
            guard wanted != 0 else {
                state = .normal
                return
            }
            guard let speed = Self.nearest(wanted, of: snapshot.scanSpeeds.filter { $0 * wanted > 0 }) else {
                return PlaybackRefusal.refuse("This can't be scanned in this direction.")
            }
            scanning.speed = speed
            if state == .scanning { ask(.scan(speed)) }
        }
    }

    public var state: AVPlaybackUserInterfacePlaybackState {
        get {
            if scanning.isScrubbing { return .scrubbing }
            if case .scan(let speed)? = asked[.scan] { return speed == 0 ? .normal : .scanning }
            return snapshot.scanSpeed == 0 ? .normal : .scanning
        }
        set {
            let wasScanning = state == .scanning
            switch newValue {
            case .normal: break
            case .scanning:
                guard let nextScanSpeed else { return PlaybackRefusal.refuse("This can't be scanned.") }
                if !wasScanning { ask(.scan(nextScanSpeed)) }
            case .scrubbing: guard isSeekable else { return PlaybackRefusal.refuse("You can't seek in this.") }
            }
            if wasScanning, newValue != .scanning { ask(.scan(0)) }
            if scanning.isScrubbing != (newValue == .scrubbing) { scanning.isScrubbing = newValue == .scrubbing }
        }
    }

    private var nextScanSpeed: Double? { Self.nearest(scanning.speed ?? 8, of: snapshot.scanSpeeds) }

    private static func nearest(_ wanted: Double, of speeds: [Double]) -> Double? {
        speeds.min { abs($0 - wanted) < abs($1 - wanted) }
    }
}
