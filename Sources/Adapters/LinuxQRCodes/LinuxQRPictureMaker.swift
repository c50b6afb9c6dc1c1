import LinuxDesktopTools
package import QRCodes

/// Draws codes as PNG through libvips.
package struct LinuxQRPictureMaker: QRPictureMaker {
    package init() {}

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
        return try await PictureQueue.run { () throws(QRError) in try PictureLibrary.encodePNG(picture) }
    }
}
