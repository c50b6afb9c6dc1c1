package import Foundation

/// Where the page's own files are.
package enum PageFiles {
    /// The folder beside the program where it was built, in `share` where it was installed. Nil where they are in neither place.
    package static func folder(beside program: URL? = Bundle.main.executableURL) -> URL? {
        guard let place = program?.resolvingSymlinksInPath().deletingLastPathComponent() else { return nil }
        let folders = [
            place.appending(path: "tandem_TandemWeb.resources/Page"),
            place.deletingLastPathComponent().appending(path: "share/tandem/page"),
        ]
        return folders.first { FileManager.default.isReadableFile(atPath: $0.appending(path: "index.html").path) }
    }
}
