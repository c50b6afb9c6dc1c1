import LinuxDesktopTools
package import QRCodes

/// Reads codes from pictures: decoded by libvips, found by libzbar.
package struct LinuxQRCodeReader: QRCodeReader {
    package let limits: PictureLimits

    package init(limits: PictureLimits = PictureLimits()) {
        self.limits = limits
    }

    /// Edges the picture is shrunk to, in turn. The first suits screenshots and photos, the second small codes in
    /// large pictures, the third blurred or noisy photos, which shrinking sharpens.
    private static let edges = [1600, 4096, 700]

    /// Pictures below this edge may have one pixel a module and are enlarged.
    private static let smallEdge = 400

    package func text(in picture: [UInt8]) async throws(QRError) -> String {
        guard picture.count <= limits.fileBytes else { throw .fileTooLarge(limit: limits.fileBytes) }
        return try await PictureQueue.run { [limits] () throws(QRError) in
            let size = try PictureLibrary.size(of: picture)
            guard size.isWithin(pixels: limits.pixels) else {
                throw .pictureTooLarge(width: size.width, height: size.height, pages: size.pages, limit: limits.pixels)
            }
            let scanner = try CodeScanner()
            var lastEdge: Int?
            for side in Self.edges {
                let edge = min(side, max(size.width, size.height))
                guard edge != lastEdge else { continue }
                lastEdge = edge
                var grey = try PictureLibrary.decode(picture, side: edge)
                if max(grey.width, grey.height) < Self.smallEdge { grey = grey.enlarged(by: 4) }
                for candidate in [grey, grey.inverted] {
                    let codes = try scanner.codes(in: candidate)
                    if let text = try CodeScanner.onlyText(of: codes, limit: limits.textBytes) { return text }
                }
            }
            throw .noCode
        }
    }
}
