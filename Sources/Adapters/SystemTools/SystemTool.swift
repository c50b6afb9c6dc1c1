/// A program of the system's, and the Debian package that brings it.
public struct SystemTool: Hashable, Sendable {
    public var name: String
    public var package: String

    public init(_ name: String, package: String) {
        self.name = name
        self.package = package
    }
}
