@_exported import AppEntities
