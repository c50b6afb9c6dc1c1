import Kernel
package import LinuxPictures
import Pictures
package import QRCodes

/// Reads codes from pictures: decoded by libvips in a program of its own, found by libzbar.
package struct LinuxQRCodeReader: QRCodeReader {
    package let limits: PictureLimits
    private let pictures: LinuxPictures
    private let work = BlockingWork("tandem.codes", width: 1, urgency: .bulk)

    package init(pictures: LinuxPictures, limits: PictureLimits = PictureLimits()) {
        self.pictures = pictures
        self.limits = limits
    }

    /// Edges the picture is shrunk to, in turn. The first suits screenshots and photos, the second small codes in
    /// large pictures, the third blurred or noisy photos, which shrinking sharpens.
    private static let edges = [1600, 4096, 700]

    /// Pictures below this edge may have one pixel a module and are enlarged.
    private static let smallEdge = 400

    package func text(in picture: [UInt8]) async throws(QRError) -> String {
        guard picture.count <= limits.fileBytes else { throw .fileTooLarge(limit: limits.fileBytes) }
        let size = try await size(of: picture)
        guard size.isWithin(pixels: limits.pixels) else {
            throw .pictureTooLarge(width: size.width, height: size.height, pages: size.pages, limit: limits.pixels)
        }
        var lastEdge: Int?
        for side in Self.edges {
            let edge = min(side, max(size.width, size.height))
            guard edge != lastEdge else { continue }
            lastEdge = edge
            if let text = try await search(try await decode(picture, side: edge)) { return text }
        }
        throw .noCode
    }

    private func size(of picture: [UInt8]) async throws(QRError) -> PictureSize {
        do {
            let header = try await pictures.header(of: picture)
            return PictureSize(width: header.dimensions.width, height: header.dimensions.height, pages: header.pages)
        } catch {
            throw QRError(reading: error)
        }
    }

    private func decode(_ picture: [UInt8], side: Int) async throws(QRError) -> GreyPicture {
        do {
            let grey = try await pictures.grey(of: picture, side: side)
            return GreyPicture(width: grey.dimensions.width, height: grey.dimensions.height, pixels: grey.pixels)
        } catch {
            throw QRError(reading: error)
        }
    }

    /// Looks for a code where that holds up no other task.
    private func search(_ picture: GreyPicture) async throws(QRError) -> String? {
        let limit = limits.textBytes
        do {
            return try await work.run {
                let scanner = try CodeScanner()
                let isSmall = max(picture.width, picture.height) < Self.smallEdge
                let grey = isSmall ? picture.enlarged(by: 4) : picture
                for candidate in [grey, grey.inverted] {
                    let codes = try scanner.codes(in: candidate)
                    if let text = try CodeScanner.onlyText(of: codes, limit: limit) { return text }
                }
                return nil
            }
        } catch let error as QRError {
            throw error
        } catch {
            throw .readerFailed(reason: "it was not waited for")
        }
    }
}
