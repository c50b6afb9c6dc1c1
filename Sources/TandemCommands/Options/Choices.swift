public import ArgumentParser
public import Pictures
public import SystemInfo

// Options of commands for the choices that features offer.

extension PictureFormat: ExpressibleByArgument {}

extension LogLevel: ExpressibleByArgument {}
