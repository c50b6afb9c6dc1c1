import ClipboardHost
import Pictures
import ScreenHost
import TandemDesktop

/// A clipboard and a screen in memory, for tests that ask who may use them and not what is there.
enum MemoryDesktopSession {
    static func make() -> DesktopTools.DesktopSession {
        DesktopTools.DesktopSession(clipboard: MemoryClipboard(), screen: MemoryScreen(), pictures: MemoryPictures())
    }

    private struct MemoryClipboard: Clipboard {
        func offers() async throws -> [String] { ["UTF8_STRING"] }

        func read(_ offer: String, limit: Int) async throws -> [UInt8] { Array("copied".utf8) }

        func write(_ bytes: [UInt8], as kind: ClipboardKind) async throws {}
    }

    private struct MemoryScreen: Screen {
        func displays() async throws -> [Display] {
            [Display(id: 0, name: "HDMI-1", x: 0, y: 0, width: 40, height: 30, isPrimary: true)]
        }

        func capture(_ display: Display?) async throws -> [UInt8] { MemoryPictures.picture }
    }

    private struct MemoryPictures: PictureEncoder {
        /// PNG's signature: nobody looks any further.
        static let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        private static let size = PictureDimensions(width: 40, height: 30)

        func dimensions(of picture: [UInt8]) async throws -> PictureDimensions { Self.size }

        func encode(
            _ picture: [UInt8],
            as format: PictureFormat,
            quality: Int,
            maxWidth: Int?
        ) async throws -> EncodedPicture {
            EncodedPicture(bytes: picture, format: format, dimensions: Self.size)
        }
    }
}
