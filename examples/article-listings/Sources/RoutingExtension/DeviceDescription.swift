import MediaDevice

/// A device as the article's extension knows it.
struct DeviceDescription {
    var authType: MediaOutputDevice.AuthorizationMethod
}
