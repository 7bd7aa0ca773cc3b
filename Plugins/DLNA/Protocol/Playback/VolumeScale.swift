/// Converts between a renderer's own volume numbers and `0.0...1.0`.
package struct VolumeScale: Sendable, Hashable {
    package let range: ServiceDescription.Range

    package init(_ range: ServiceDescription.Range) {
        self.range = range
    }

    /// `0.0...1.0`; numbers outside the device's range are clamped, some devices report them.
    package func level(of raw: Int) -> Float {
        let width = Double(range.maximum) - Double(range.minimum)
        guard width > 0 else { return 0 }
        return Float((Double(min(max(raw, range.minimum), range.maximum)) - Double(range.minimum)) / width)
    }

    /// Returns the device's value nearest to a volume, on one of its steps. Volumes outside `0.0...1.0` are clamped;
    /// not-a-number becomes 0.
    package func raw(of level: Float) -> Int {
        let bounded = level.isNaN ? 0 : Double(min(max(level, 0), 1))
        let width = Double(range.maximum) - Double(range.minimum)
        let step = Double(max(1, range.step))
        let offset = min((bounded * width / step).rounded() * step, width)
        return range.minimum + Int(min(offset, Double(Int32.max)))
    }
}
