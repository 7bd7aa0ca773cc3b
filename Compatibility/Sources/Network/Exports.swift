@_exported import DeviceDiscovery
