import CoreMedia
import Foundation

/// The archiving of values. Decoding returns `nil` for values that are missing or have another type.
extension NSCoder {
    func encode(_ time: CMTime, forKey key: String) {
        encode(time.value, forKey: key + ".value")
        encode(time.timescale, forKey: key + ".timescale")
        encode(Int32(bitPattern: time.flags.rawValue), forKey: key + ".flags")
        encode(time.epoch, forKey: key + ".epoch")
    }

    func decodeTime(forKey key: String) -> CMTime? {
        guard containsValue(forKey: key + ".value"), containsValue(forKey: key + ".flags") else { return nil }
        return CMTime(
            value: decodeInt64(forKey: key + ".value"), timescale: decodeInt32(forKey: key + ".timescale"),
            flags: CMTimeFlags(rawValue: UInt32(bitPattern: decodeInt32(forKey: key + ".flags"))),
            epoch: decodeInt64(forKey: key + ".epoch"))
    }

    func encode(_ range: CMTimeRange, forKey key: String) {
        encode(range.start, forKey: key + ".start")
        encode(range.duration, forKey: key + ".duration")
    }

    func decodeTimeRange(forKey key: String) -> CMTimeRange? {
        guard let start = decodeTime(forKey: key + ".start"), let duration = decodeTime(forKey: key + ".duration")
        else { return nil }
        return CMTimeRange(start: start, duration: duration)
    }

    func decodeString(forKey key: String) -> String? {
        guard containsValue(forKey: key) else { return nil }
        return decodeObject(of: NSString.self, forKey: key).map { $0 as String }
    }

    func decodeStrings(forKey key: String) -> [String] {
        guard containsValue(forKey: key) else { return [] }
        let array = decodeObject(of: [NSArray.self, NSString.self], forKey: key) as? NSArray
        return (array ?? []).compactMap { ($0 as? NSString).map { $0 as String } ?? $0 as? String }
    }
}
