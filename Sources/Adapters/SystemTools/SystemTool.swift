/// A program of the system's, and the Debian package that brings it.
package struct SystemTool: Hashable, Sendable {
    package var name: String
    package var package: String

    package init(_ name: String, package: String) {
        self.name = name
        self.package = package
    }
}
