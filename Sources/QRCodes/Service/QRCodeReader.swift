package import Foundation

/// Finds the one code in a picture.
package protocol QRCodeReader: Sendable {
    var limits: PictureLimits { get }

    /// The text of the only code in `picture`, the bytes of a JPEG, PNG, WebP, GIF, HEIC or AVIF file.
    ///
    /// The text is bounded and UTF-8, and otherwise untrusted: it comes from the person or program that drew the code.
    func text(in picture: [UInt8]) async throws(QRError) -> String
}

extension QRCodeReader {
    /// The text of the only code in the picture at `file`, which is read only if it is a file and not too large.
    package func text(inFileAt file: URL) async throws(QRError) -> String {
        try await text(in: Self.contents(of: file, limit: limits.fileBytes))
    }

    private static func contents(of file: URL, limit: Int) throws(QRError) -> [UInt8] {
        let bytes: Data?
        do {
            // Only plain files are opened: a pipe or a device could be endless, or block on opening.
            let attributes = try FileManager.default.attributesOfItem(atPath: file.resolvingSymlinksInPath().path)
            guard attributes[.type] as? FileAttributeType == .typeRegular else {
                throw QRError.unreadableFile(path: file.path, reason: "it is not a file")
            }
            let handle = try FileHandle(forReadingFrom: file)
            defer { try? handle.close() }  // opened for reading: nothing can be lost
            bytes = try handle.read(upToCount: limit + 1)
        } catch let error as QRError {
            throw error
        } catch {
            throw .unreadableFile(path: file.path, reason: error.localizedDescription)
        }
        guard let bytes, !bytes.isEmpty else { throw .notAPicture }
        guard bytes.count <= limit else { throw .fileTooLarge(limit: limit) }
        return Array(bytes)
    }
}
