import ChatClient
import Control
import Foundation
import Kernel
import LinuxPictures
import Pictures

/// Pictures of messages in a terminal: drawn, or as paths of their files.
struct ChatMedia {
    /// Columns of a set-in picture.
    static let columns = 40
    /// Larger files are not read: clients make pictures of at most 200 KB, and other programs' have 10 MB.
    private static let byteLimit = 25 << 20

    let client: ControlClient
    /// Nil: paths are printed.
    let palette: HalfBlocks.Palette?

    /// The rows below a message: its pictures, or the paths of its files. A file that cannot be had is said so in its place.
    func rows(of message: ChatControl.MessageEntry) async -> [String] {
        switch message.kind {
        case .image:
            var rows: [String] = []
            for (index, picture) in message.pictures.enumerated() where !picture.isExpired {
                rows += await self.rows(message, index)
            }
            return rows
        case .voice where message.voice?.isExpired == false: return await rows(message, nil)
        default: return []
        }
    }

    private func rows(_ message: ChatControl.MessageEntry, _ index: Int?) async -> [String] {
        let indent = "       "
        do {
            let object = ChatControl.Object(message.conversation, id: message.id, index: index)
            let file = try await client.call(ChatControl.media, object)
            let path = indent + TerminalText.name(file.path)
            guard index != nil, let palette, let drawn = try? await Self.drawn(file, palette) else { return [path] }
            return drawn.map { indent + $0 }
        } catch {
            return [indent + TerminalText.line("[not here: \(error)]")]
        }
    }

    /// A picture's file as rows.
    ///
    /// - Throws: ``CommandError/cannotRead(path:reason:)``, `PictureError`.
    static func drawn(_ file: ChatControl.File, _ palette: HalfBlocks.Palette) async throws -> [String] {
        try await drawn(try bytes(of: file), palette)
    }

    static func drawn(_ picture: [UInt8], _ palette: HalfBlocks.Palette) async throws -> [String] {
        let columns = max(2, min(columns, (Output.width ?? .max) - 8))
        let (size, pixels) = try await Live.pictures.colour(of: picture, side: columns)
        return HalfBlocks(width: size.width, height: size.height, pixels: pixels)?.rows(palette) ?? []
    }

    /// - Throws: ``CommandError/cannotRead(path:reason:)``.
    static func bytes(of file: ChatControl.File) throws -> [UInt8] {
        guard file.size <= byteLimit else {
            throw CommandError.cannotRead(path: TerminalText.name(file.path), reason: "it is larger than 25 MiB")
        }
        do {
            return Array(try Data(contentsOf: URL(fileURLWithPath: file.path)))
        } catch {
            throw CommandError.cannotRead(path: TerminalText.name(file.path), reason: Reason.of(error))
        }
    }
}
