// A source that imports this module alone uses queues, data and URLs as it does elsewhere.
@_exported import Dispatch
@_exported import Foundation
