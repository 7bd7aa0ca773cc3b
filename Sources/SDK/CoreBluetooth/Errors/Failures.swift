import HostInterface

extension BluetoothFailure {
    /// The failure as an error of this module.
    var asError: any Error {
        if let attributeError, let code = CBATTError.Code(rawValue: attributeError) { return CBATTError(code, message) }
        return CBError(
            {
                switch code {
                case .notConnected: .notConnected
                case .unknownDevice: .unknownDevice
                case .unreachable, .refused: .connectionFailed
                case .tooMany: .connectionLimitReached
                case .timedOut: .connectionTimeout
                case .notSupported: .operationNotSupported
                case .cancelled: .operationCancelled
                case .failed: .unknown
                }
            }(), message)
    }
}
