import CQREncode
import Glibc
package import QRCodes

/// Makes codes through libqrencode.
package struct LinuxQRCodeMaker: QRCodeMaker {
    package init() {}

    package func code(for text: String, level: QRErrorCorrection) throws(QRError) -> QRMatrix {
        let bytes = Array(text.utf8)
        guard !bytes.isEmpty else { throw .emptyText }
        let limit = QRCapacity.maximumByteCount(level)
        guard bytes.count <= limit else { throw .textTooLong(bytes: bytes.count, limit: limit) }
        // Version 0 asks for the smallest. By bytes and count, since a C string would end at U+0000.
        guard let code = QRcode_encodeData(Int32(bytes.count), bytes, 0, level.qrencodeLevel) else {
            throw .cannotDraw(reason: String(cString: strerror(errno)))
        }
        defer { QRcode_free(code) }
        let side = Int(code.pointee.width)
        // Bit 0 of each byte is the colour; the others say what the module is for.
        let modules = UnsafeBufferPointer(start: code.pointee.data, count: side * side).map { $0 & 1 == 1 }
        return try QRMatrix(side: side, darkModules: modules)
    }
}

extension QRErrorCorrection {
    fileprivate var qrencodeLevel: QRecLevel {
        switch self {
        case .low: QR_ECLEVEL_L
        case .medium: QR_ECLEVEL_M
        case .quartile: QR_ECLEVEL_Q
        case .high: QR_ECLEVEL_H
        }
    }
}
