public import JSONValues

/// The largest pictures that a receiver shows, as far as it says.
///
/// Source: Cast Streaming's session protocol, `constraints` of the answer.
public struct PictureLimits: Sendable, Hashable {
    /// In pixels; `nil` if the receiver doesn't say both.
    public var width: Int?
    public var height: Int?
    /// Pictures a second.
    public var rate: Double?
    public var pixelsPerSecond: Double?

    public init() {}

    /// - Parameter video: The constraints on pictures; impossible ones count as none.
    public init(_ video: JSON?) {
        let most = video?["maxDimensions"]
        if let width = most?["width"]?.integer, let height = most?["height"]?.integer, width > 0, height > 0 {
            (self.width, self.height) = (width, height)
        }
        rate = most?["frameRate"].flatMap(FrameRate.init)?.value
        pixelsPerSecond = video?["maxPixelsPerSecond"]?.number.flatMap { $0 > 0 ? $0 : nil }
    }

    /// Returns what the receiver shows at most, in words, unless that is enough for some pictures.
    public func excess(of format: PictureFormat) -> String? {
        let isTooLarge = format.width > width ?? .max || format.height > height ?? .max
        // 30 pictures a second are no more than 29.97.
        let isTooFast = Double(format.rate) > (rate ?? .infinity) + 0.5
        if isTooLarge || isTooFast {
            let size = width.flatMap { width in height.map { "\(width)x\($0)" } }
            let speed = rate.map { "\(Int($0.rounded())) pictures a second" }
            return [size, speed].compactMap(\.self).joined(separator: " and ")
        }
        let pixels = Double(format.width) * Double(format.height)
        guard let pixelsPerSecond, pixels * Double(format.rate) > pixelsPerSecond * 1.01 else { return nil }
        return
            "\(Int(max(1, min(pixelsPerSecond / pixels, 240)))) pictures a second of \(format.width)x\(format.height)"
    }
}

/// A rate in a message: a number, or a text with a number or with a fraction of two, such as `30000/1001`.
struct FrameRate {
    /// Pictures a second, more than 0.
    let value: Double
    /// The highest rate that is one.
    private static let most = 1000.0

    init?(_ json: JSON) {
        let parts = (json.string ?? "").split(separator: "/").map { Double($0) }
        let value =
            switch (parts.count, parts.first ?? nil, parts.last ?? nil) {
            case (1, let whole?, _): whole
            case (2, let upper?, let lower?): upper / lower
            default: json.number ?? 0
            }
        guard value > 0, value <= Self.most else { return nil }
        self.value = value
    }
}
