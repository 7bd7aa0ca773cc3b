// Pictures for artwork are `UIImage`s.
@_exported import AppInterface
@_exported import Foundation
