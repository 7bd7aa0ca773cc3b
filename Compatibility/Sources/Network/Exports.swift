@_exported import NetworkConnections
