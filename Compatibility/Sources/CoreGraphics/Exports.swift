@_exported import BitmapImages
