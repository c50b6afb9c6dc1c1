import QRCodes
import Testing

@Suite("QR capacity", .timeLimit(.minutes(4)))
struct QRCapacityTests {
    @Test(
        "a text takes the smallest code that holds it",
        arguments: [(0, 21), (14, 21), (15, 25), (412, 77), (413, 81)]
    )
    func mediumSides(bytes: Int, side: Int) {
        #expect(QRCapacity.side(forByteCount: bytes, level: .medium) == side)
    }

    @Test("the largest text fills the largest code, and one byte more fits none", arguments: QRErrorCorrection.allCases)
    func largest(level: QRErrorCorrection) {
        let limit = QRCapacity.maximumByteCount(level)
        #expect(QRCapacity.side(forByteCount: limit, level: level) == 177)
        #expect(QRCapacity.side(forByteCount: limit + 1, level: level) == nil)
    }

    @Test("420 bytes take 81 modules at medium and 69 at low, so low is recommended for 25 mm")
    func pairingCode() {
        #expect(QRCapacity.side(forByteCount: 420, level: .medium) == 81)
        #expect(QRCapacity.side(forByteCount: 420, level: .low) == 69)
        #expect(QRCapacity.recommendedLevel(forByteCount: 420) == .low)
    }

    @Test("medium is kept up to 362 bytes, where a module is still 0.34 mm wide")
    func lastMedium() {
        #expect(QRCapacity.recommendedLevel(forByteCount: 362) == .medium)
        #expect(QRCapacity.recommendedLevel(forByteCount: 363) == .low)
    }

    @Test("a larger print keeps medium for longer texts")
    func largerPrint() {
        #expect(QRCapacity.recommendedLevel(forByteCount: 420, printedMillimetres: 40) == .medium)
        #expect(QRCapacity.recommendedLevel(forByteCount: 2400, printedMillimetres: 400) == .low)
    }
}
