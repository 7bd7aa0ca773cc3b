@_exported import AVKit
@_exported import CoreMedia
@_exported import DeviceDiscovery
@_exported import ExtensionFoundation
@_exported import TypeIdentifiers
