import Foundation

/// A folder with the kernel's files as a test recorded them.
enum RecordedFiles {
    static func with(_ files: [String: String], _ body: (String) async throws -> Void) async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }  // a left-over in the temporary folder harms nobody
        for (path, text) in files {
            let file = root.appending(path: path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
            if text.hasPrefix("#!") {
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
            }
        }
        try await body(root.path)
    }
}
