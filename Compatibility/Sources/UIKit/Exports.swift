@_exported import AppInterface
@_exported import BitmapImages
@_exported import Foundation
