@_exported import MediaDevice
