import Foundation
import Kernel

/// Files of this machine as a person types them. The phone runs in another folder, so it is told whole paths.
enum ChatFile {
    /// - Throws: ``CommandError/cannotRead(path:reason:)`` for what is no file, or not to be read.
    static func path(typed: String) throws(CommandError) -> String {
        let path = Live.path(typed: typed).path
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw .cannotRead(path: TerminalText.name(typed), reason: "there is no such file")
        }
        guard !isFolder.boolValue else { throw .cannotRead(path: TerminalText.name(typed), reason: "it is a folder") }
        guard FileManager.default.isReadableFile(atPath: path) else {
            throw .cannotRead(path: TerminalText.name(typed), reason: "it is not yours to read")
        }
        return path
    }
}
