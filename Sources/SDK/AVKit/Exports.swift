// A source that imports AVKit alone uses times, types, URLs and `@Observable` as it does elsewhere.
@_exported import CoreMedia
@_exported import Foundation
@_exported import Observation
@_exported import TypeIdentifiers
