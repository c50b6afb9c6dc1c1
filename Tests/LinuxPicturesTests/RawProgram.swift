import Foundation
import LinuxPictures
import PictureWire
import Subprocess
import SystemPackage

/// The program by itself, without the client that starts it in the product.
enum RawProgram {
    /// What it did with all of its input, until it ended.
    struct Run {
        let hello: PictureHello?
        /// Replies with their bytes, in order.
        let replies: [(reply: PictureReply, bytes: [UInt8])]
        /// Bytes behind the last whole reply.
        let rest: Int
        /// 0 where it ended as it should at the end of its input.
        let isSuccess: Bool
    }

    static func run(_ input: [UInt8]) async throws -> Run {
        // From a file: a pipe would break under its writer where the program ends before it has read everything.
        let file = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }  // a left-over in the temporary folder harms nobody
        try Data(input).write(to: file)
        let result = try await Subprocess.run(
            .path(FilePath(PictureTool.path())),
            input: .fileDescriptor(
                try FileDescriptor.open(FilePath(file.path), .readOnly),
                closeAfterSpawningProcess: true
            ),
            output: .bytes(limit: 64 << 20),
            error: .discarded
        )
        var output = result.standardOutput[...]
        func take(_ count: Int) -> [UInt8]? {
            guard output.count >= count else { return nil }
            defer { output = output.dropFirst(count) }
            return Array(output.prefix(count))
        }
        let hello = take(PictureHello.size).flatMap { PictureHello(bytes: $0) }
        _ = take(hello?.versionCount ?? 0)
        var replies: [(reply: PictureReply, bytes: [UInt8])] = []
        while let reply = take(PictureReply.size).flatMap({ PictureReply(bytes: $0) }),
            let bytes = take(reply.textCount + reply.byteCount)
        {
            replies.append((reply, bytes))
        }
        return Run(
            hello: hello,
            replies: replies,
            rest: output.count,
            isSuccess: result.terminationStatus.isSuccess
        )
    }

    static func frame(_ wish: PictureRequest.Wish, _ picture: [UInt8]) -> [UInt8] {
        (PictureRequest(wish, byteCount: picture.count)?.bytes ?? []) + picture
    }
}
