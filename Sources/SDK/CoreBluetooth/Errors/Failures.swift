import HostInterface

extension BluetoothFailure {
    /// In Apple's words.
    var asError: any Error {
        if let attributeError, let code = CBATTError.Code(rawValue: attributeError) { return CBATTError(code, message) }
        return CBError(
            {
                switch code {
                case .notConnected: .notConnected
                case .unknownDevice: .unknownDevice
                case .unreachable: .connectionFailed
                case .timedOut: .connectionTimeout
                case .notSupported: .operationNotSupported
                case .cancelled: .operationCancelled
                case .failed: .unknown
                }
            }(), message)
    }
}
