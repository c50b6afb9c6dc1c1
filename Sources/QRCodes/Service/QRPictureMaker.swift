/// Turns a code into the bytes of a picture file.
package protocol QRPictureMaker: Sendable {
    /// A black and white PNG with the standard quiet zone.
    ///
    /// - Parameter modulePixels: Pixels along the edge of one module, brought into 1…32.
    func png(of matrix: QRMatrix, modulePixels: Int) async throws(QRError) -> [UInt8]
}
