// Keys of a peripheral's advertisement data.

/// The advertised name, a `String`.
public let CBAdvertisementDataLocalNameKey = "kCBAdvDataLocalName"
/// The manufacturer data, `Data`: the company identifier in little-endian order, then the payload.
public let CBAdvertisementDataManufacturerDataKey = "kCBAdvDataManufacturerData"
/// The service data, `[CBUUID: Data]`.
public let CBAdvertisementDataServiceDataKey = "kCBAdvDataServiceData"
/// The advertised services, `[CBUUID]`.
public let CBAdvertisementDataServiceUUIDsKey = "kCBAdvDataServiceUUIDs"
/// The services in the overflow area, `[CBUUID]`; never present, because BlueZ doesn't report them.
public let CBAdvertisementDataOverflowServiceUUIDsKey = "kCBAdvDataHashedServiceUUIDs"
/// The transmit power in dBm, an `NSNumber`.
public let CBAdvertisementDataTxPowerLevelKey = "kCBAdvDataTxPowerLevel"
/// A `Bool` that indicates whether the peripheral is connectable; never present, because BlueZ doesn't report it.
public let CBAdvertisementDataIsConnectable = "kCBAdvDataIsConnectable"
/// The solicited services, `[CBUUID]`; never present, because BlueZ doesn't report them.
public let CBAdvertisementDataSolicitedServiceUUIDsKey = "kCBAdvDataSolicitedServiceUUIDs"

// Options of `CBCentralManager`.

/// A `Bool` that requests a report for every advertisement, not only the first of each peripheral.
public let CBCentralManagerScanOptionAllowDuplicatesKey = "kCBScanOptionAllowDuplicates"
/// The solicited services to scan for, `[CBUUID]`; has no effect on Linux.
public let CBCentralManagerScanOptionSolicitedServiceUUIDsKey = "kCBScanOptionSolicitedServiceUUIDs"
/// A `Bool` that requests an alert if Bluetooth is off; has no effect on Linux.
public let CBCentralManagerOptionShowPowerAlertKey = "kCBInitOptionShowPowerAlert"
/// The identifier for the restoration of a manager, a `String`; has no effect on Linux, where extensions aren't
/// restored.
public let CBCentralManagerOptionRestoreIdentifierKey = "kCBInitOptionRestoreIdentifier"
/// A `Bool` that requests an alert for a connection; has no effect on Linux.
public let CBConnectPeripheralOptionNotifyOnConnectionKey = "kCBConnectOptionNotifyOnConnection"
/// A `Bool` that requests an alert for a disconnection; has no effect on Linux.
public let CBConnectPeripheralOptionNotifyOnDisconnectionKey = "kCBConnectOptionNotifyOnDisconnection"
/// A `Bool` that requests an alert for a notification; has no effect on Linux.
public let CBConnectPeripheralOptionNotifyOnNotificationKey = "kCBConnectOptionNotifyOnNotification"
