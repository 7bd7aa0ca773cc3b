/// The devices that one scan is looking for.
package struct BlueZScanFilter: Sendable, Hashable {
    package enum Transport: String, Sendable {
        case classic = "bredr"
        case lowEnergy = "le"
        case any = "auto"
    }

    package var transport: Transport
    /// Only devices that tell one of these; empty: all.
    package var uuids: Set<BluetoothUUID>
    /// The weakest accepted signal, in dBm; `nil` accepts all devices.
    package var weakestSignal: Int16?
    /// Report every advertisement, also an unchanged one, for readers of distances or advertised data.
    package var reportsDuplicates: Bool

    package init(
        transport: Transport = .any, uuids: Set<BluetoothUUID> = [], weakestSignal: Int16? = nil,
        reportsDuplicates: Bool = false
    ) {
        self.transport = transport
        self.uuids = uuids
        self.weakestSignal = weakestSignal
        self.reportsDuplicates = reportsDuplicates
    }

    /// Returns the narrowest filter that accepts everything any of `filters` accepts; `nil` for no filters.
    package static func merged(_ filters: some Sequence<BlueZScanFilter>) -> BlueZScanFilter? {
        var merged: BlueZScanFilter?
        for filter in filters {
            guard var wider = merged else {
                merged = filter
                continue
            }
            if wider.transport != filter.transport { wider.transport = .any }
            wider.uuids = wider.uuids.isEmpty || filter.uuids.isEmpty ? [] : wider.uuids.union(filter.uuids)
            if let own = wider.weakestSignal, let other = filter.weakestSignal {
                wider.weakestSignal = min(own, other)
            } else {
                wider.weakestSignal = nil
            }
            wider.reportsDuplicates = wider.reportsDuplicates || filter.reportsDuplicates
            merged = wider
        }
        return merged
    }

    /// Returns whether a scan with this filter includes the device: an adapter also finds devices for the other scans.
    package func lets(_ device: BluetoothDevice) -> Bool {
        if !uuids.isEmpty, uuids.isDisjoint(with: device.uuids) { return false }
        if let weakestSignal, let strength = device.signalStrength, strength < Int(weakestSignal) { return false }
        switch transport {
        case .any: return true
        // A classic device has a class; a dual-mode device is found either way.
        case .classic: return device.classOfDevice != nil
        case .lowEnergy:
            return device.addressKind == .random || device.appearance != nil || !device.advertisingFlags.isEmpty
                || device.classOfDevice == nil
        }
    }
}
