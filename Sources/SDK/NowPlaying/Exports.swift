// Types of this module's own interface.
@_exported import AppEntities
@_exported import BitmapImages
// A source that imports NowPlaying alone marks its model `@Observable` and loads pictures with `URLSession`, as it does elsewhere.
@_exported import Foundation
@_exported import FoundationNetworking
@_exported import Observation
