// The parts of AVFoundation that are available on Linux.
@_exported import AVFAudio
@_exported import CoreMedia
@_exported import Foundation
