@_exported import SystemLog
