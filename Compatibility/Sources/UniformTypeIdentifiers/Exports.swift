@_exported import TypeIdentifiers
