import CZBar
import QRCodes

/// zbar's image scanner, looking for QR codes only. Used by one thread, the one that made it.
struct CodeScanner: ~Copyable {
    /// "Y800": 8-bit grey.
    static let greyFormat: UInt = 0x3030_3859

    private let scanner: OpaquePointer

    init() throws(QRError) {
        guard let scanner = zbar_image_scanner_create() else { throw .readerFailed(reason: "out of memory") }
        self.scanner = scanner
        // Symbology 0 means all of them: off first, then the one that is wanted. Neither can fail for these constants.
        _ = zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
        _ = zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_ENABLE, 1)
        // zbar would guess the encoding and take UTF-8 Japanese for Shift-JIS. Ours is UTF-8 or it is not for us.
        _ = zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1)
    }

    deinit { zbar_image_scanner_destroy(scanner) }

    /// The bytes of every different code in `picture`.
    func codes(in picture: GreyPicture) throws(QRError) -> [[UInt8]] {
        guard let image = zbar_image_create() else { throw .readerFailed(reason: "out of memory") }
        defer { zbar_image_destroy(image) }
        zbar_image_set_format(image, Self.greyFormat)
        zbar_image_set_size(image, UInt32(picture.width), UInt32(picture.height))
        let codes: [[UInt8]]? = picture.pixels.withUnsafeBytes { pixels in
            zbar_image_set_data(image, pixels.baseAddress, UInt(pixels.count), nil)
            // The pixels are only borrowed: the image must not keep them.
            defer { zbar_image_set_data(image, nil, 0, nil) }
            return self.codes(inGreyImage: image)
        }
        guard let codes else { throw .readerFailed(reason: "libzbar gave up") }
        return codes
    }

    /// The bytes of every different code in a zbar image of ``greyFormat``, or nil when zbar fails.
    func codes(inGreyImage image: OpaquePointer) -> [[UInt8]]? {
        guard zbar_scan_image(scanner, image) >= 0 else { return nil }
        var codes: [[UInt8]] = []
        var symbol = zbar_image_first_symbol(image)
        while let current = symbol {
            defer { symbol = zbar_symbol_next(current) }
            guard zbar_symbol_get_type(current) == ZBAR_QRCODE, let data = zbar_symbol_get_data(current) else {
                continue
            }
            let count = Int(zbar_symbol_get_data_length(current))
            let code = data.withMemoryRebound(to: UInt8.self, capacity: count) { bytes in
                Array(UnsafeBufferPointer(start: bytes, count: count))
            }
            if !codes.contains(code) { codes.append(code) }
        }
        return codes
    }

    /// The only code of `codes` as text, or nil when there are none.
    static func onlyText(of codes: [[UInt8]], limit: Int) throws(QRError) -> String? {
        guard let code = codes.first else { return nil }
        guard codes.count == 1 else { throw .severalCodes(count: codes.count) }
        guard code.count <= limit else { throw .codeTooLong(bytes: code.count, limit: limit) }
        guard let text = String(validating: code, as: UTF8.self), !text.isEmpty else { throw .codeIsNotText }
        return text
    }
}
