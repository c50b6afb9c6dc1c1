package import Foundation

/// The files that draw the terminal of the page: xterm.js, from where it is installed.
package struct TerminalFiles: Hashable, Sendable {
    package let script: URL
    package let style: URL

    package init(script: URL, style: URL) {
        self.script = script
        self.style = style
    }

    /// Below a folder, as `bin/setup` and packages lay them out.
    private static let layouts = [
        ("xterm.js", "xterm.css"), ("lib/xterm.js", "css/xterm.css"), ("dist/xterm.js", "dist/xterm.css"),
        ("xterm/lib/xterm.js", "xterm/css/xterm.css"), ("@xterm/xterm/lib/xterm.js", "@xterm/xterm/css/xterm.css"),
    ]

    /// The first of these folders that has both files; nil where none has.
    package static func find(in folders: [URL]) -> TerminalFiles? {
        for folder in folders {
            for (script, style) in layouts {
                let files = TerminalFiles(script: folder.appending(path: script), style: folder.appending(path: style))
                let manager = FileManager.default
                if manager.isReadableFile(atPath: files.script.path), manager.isReadableFile(atPath: files.style.path) {
                    return files
                }
            }
        }
        return nil
    }
}
