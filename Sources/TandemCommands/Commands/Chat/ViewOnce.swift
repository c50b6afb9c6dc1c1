import Capabilities
import ChatClient
import Foundation
import Kernel
import LinuxPictures

/// Shows a view-once picture where it can be shown.
enum ViewOnce {
    enum Showing {
        case drawn(HalfBlocks.Palette)
        case file(typed: String, path: String)
    }

    /// Makes sure that a picture can be shown, before it is opened.
    ///
    /// - Throws: ``CommandError``.
    static func prepared(output: String?) async throws -> Showing {
        if let output {
            let path = Live.path(typed: output).path
            let folder = (path as NSString).deletingLastPathComponent
            guard FileManager.default.isWritableFile(atPath: folder) else {
                throw CommandError.cannotWrite(
                    path: TerminalText.name(output),
                    reason: "its folder is not there, or not yours"
                )
            }
            return .file(typed: output, path: path)
        }
        guard let palette = HalfBlocks.Palette.of(), await Live.pictures.check().works else {
            throw CommandError.noPictureHere
        }
        return .drawn(palette)
    }

    /// - Parameter file: The phone's, which it would remove a minute later: it is removed at once.
    /// - Returns: What is printed of it.
    static func show(_ file: ChatControl.File, _ showing: Showing) async throws -> [String] {
        let bytes = try ChatMedia.bytes(of: file)
        defer { try? FileManager.default.removeItem(atPath: file.path) }
        switch showing {
        case .drawn(let palette): return try await ChatMedia.drawn(bytes, palette)
        case .file(let typed, let path):
            try PrivateFile.write(Data(bytes), to: path)
            return ["It is in \(Output.name(typed))."]
        }
    }
}
