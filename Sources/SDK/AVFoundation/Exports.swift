// What of AVFoundation exists here.
@_exported import AVFAudio
@_exported import CoreMedia
@_exported import Foundation
