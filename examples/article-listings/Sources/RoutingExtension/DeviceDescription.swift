import MediaDevice

/// What the article's extension knows of a device.
struct DeviceDescription {
    var authType: MediaOutputDevice.AuthorizationMethod
}
