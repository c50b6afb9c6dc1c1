#if canImport(Darwin)
    import Foundation
    import Kernel
    import WebClient

    /// A request's body in a temporary file.
    struct UploadFile: Sendable {
        let url = FileManager.default.temporaryDirectory.appending(path: "tandem-upload-\(UUID().uuidString)")

        /// - Throws: ``WebClientError/wrongBodyLength(expected:)``, what the pieces throw, and what the disk says.
        func fill(
            length: Int64,
            next: @Sendable () async throws -> [UInt8]?,
            watch: WebWatch,
            on work: BlockingWork
        ) async throws {
            watch.rests()
            try await work.run { [url] in try Data().write(to: url, options: .completeFileProtection) }
            var left = length
            while let piece = try await next() {
                left -= Int64(piece.count)
                guard left >= 0 else { throw WebClientError.wrongBodyLength(expected: length) }
                try await work.run { [url] in
                    let file = try FileHandle(forWritingTo: url)
                    try file.seekToEnd()
                    try file.write(contentsOf: Data(piece))
                    try file.close()
                }
            }
            guard left == 0 else { throw WebClientError.wrongBodyLength(expected: length) }
            watch.waits()
        }

        func remove() { try? FileManager.default.removeItem(at: url) }  // most requests have none
    }
#endif
