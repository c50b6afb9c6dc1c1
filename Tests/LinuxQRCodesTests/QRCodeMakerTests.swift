import LinuxQRCodes
import QRCodes
import Testing

@Suite("Making QR codes", .timeLimit(.minutes(4)))
struct QRCodeMakerTests {
    private let maker = LinuxQRCodeMaker()

    @Test("codes have the size the capacity table says", arguments: QRErrorCorrection.allCases)
    func sizes(level: QRErrorCorrection) throws {
        for version in 0..<40 {
            let side = 21 + 4 * version
            var bytes = 1
            while QRCapacity.side(forByteCount: bytes + 1, level: level).map({ $0 <= side }) ?? false { bytes += 1 }
            #expect(try maker.code(for: String(repeating: "a", count: bytes), level: level).side == side)
        }
    }

    @Test("a pairing code of 420 bytes has 69 modules at low, 81 at medium, and is made at low")
    func pairingCode() throws {
        let text = Samples.pairingText
        #expect(text.utf8.count == 420)
        #expect(try maker.code(for: text, level: .low).side == 69)
        #expect(try maker.code(for: text, level: .medium).side == 81)
        #expect(try maker.code(for: text).side == 69)
    }

    @Test("no text and too long a text are refused")
    func refused() {
        #expect(throws: QRError.emptyText) { try maker.code(for: "", level: .low) }
        #expect(throws: QRError.textTooLong(bytes: 2332, limit: 2331)) {
            try maker.code(for: String(repeating: "a", count: 2332), level: .medium)
        }
    }
}
