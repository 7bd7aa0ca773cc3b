@_exported import AVKit
@_exported import TypeIdentifiers
