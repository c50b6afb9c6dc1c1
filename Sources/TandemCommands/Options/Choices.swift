public import ArgumentParser
public import Pictures
public import SystemInfo

// What features let a caller choose, as options spell it.

extension PictureFormat: ExpressibleByArgument {}

extension LogLevel: ExpressibleByArgument {}
