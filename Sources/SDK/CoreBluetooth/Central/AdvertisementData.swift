import Foundation
import HostInterface

extension BluetoothAdvertisement {
    /// The advertisement as a dictionary with Apple's keys.
    var dictionary: [String: Any] {
        var data: [String: Any] = [:]
        data[CBAdvertisementDataLocalNameKey] = name
        data[CBAdvertisementDataManufacturerDataKey] = manufacturerData
        data[CBAdvertisementDataTxPowerLevelKey] = transmitPower.map { NSNumber(value: $0) }
        let uuids = services.compactMap { CBUUID(validating: $0) }
        if !uuids.isEmpty { data[CBAdvertisementDataServiceUUIDsKey] = uuids }
        var byService: [CBUUID: Data] = [:]
        for (service, value) in serviceData {
            if let uuid = CBUUID(validating: service) { byService[uuid] = value }
        }
        if !byService.isEmpty { data[CBAdvertisementDataServiceDataKey] = byService }
        return data
    }
}
