package import LinuxPictures
package import QRCodes

/// Draws codes as PNG through libvips, in a program of its own.
package struct LinuxQRPictureMaker: QRPictureMaker {
    private let pictures: LinuxPictures

    package init(pictures: LinuxPictures) {
        self.pictures = pictures
    }

    package func png(of matrix: QRMatrix, modulePixels: Int) async throws(QRError) -> [UInt8] {
        let quietZone = QRMatrix.standardQuietZone
        let edge = matrix.side + 2 * quietZone
        var pixels: [UInt8] = []
        pixels.reserveCapacity(edge * edge)
        for row in -quietZone..<(matrix.side + quietZone) {
            for column in -quietZone..<(matrix.side + quietZone) {
                pixels.append(matrix.isDark(column: column, row: row) ? 0 : 255)
            }
        }
        let picture = GreyPicture(width: edge, height: edge, pixels: pixels)
            .enlarged(by: min(max(modulePixels, 1), 32))
        do {
            return try await pictures.bilevelPNG(of: picture.pixels, width: picture.width, height: picture.height)
        } catch {
            throw QRError(drawing: error)
        }
    }
}
