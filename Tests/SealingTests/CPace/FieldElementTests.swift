import Kernel
import Testing

@testable import Sealing

@Suite("Arithmetic modulo 2^255 - 19", .timeLimit(.minutes(4)))
struct FieldElementTests {
    struct File: Decodable {
        struct Row: Decodable {
            var a: String
            var b: String
            var sum: String
            var difference: String
            var product: String
            var inverse: String
            var legendre: String
        }
        var values: [Row]
    }

    @Test("every operation agrees with whole-number arithmetic, at the edges too")
    func operations() throws {
        let rows = try Fixture.read("field-vectors", as: File.self).values
        #expect(rows.count == 24)
        for row in rows {
            let a = FieldElement(littleEndian: try Fixture.bytes(row.a))
            let b = FieldElement(littleEndian: try Fixture.bytes(row.b))
            #expect(Hexadecimal.encode((a + b).littleEndian) == row.sum)
            #expect(Hexadecimal.encode((a - b).littleEndian) == row.difference)
            #expect(Hexadecimal.encode((a * b).littleEndian) == row.product)
            #expect(Hexadecimal.encode(a.inverse.littleEndian) == row.inverse)
            #expect(Hexadecimal.encode(a.legendreSymbol.littleEndian) == row.legendre)
            // Chains without a reduction in between keep within the limbs.
            let chain = (a - b - b - b + a + a) * (b - a + b + b)
            let check = (a + a + a - (b + b + b)) * (b + b + b - a)
            #expect(chain.littleEndian == check.littleEndian)
        }
    }

    @Test("the top bit of an encoding is ignored, and the encoding is the one below p")
    func encoding() {
        var one = [UInt8](repeating: 0, count: 32)
        one[0] = 1
        var topped = one
        topped[31] = 0x80
        #expect(FieldElement(littleEndian: topped).littleEndian == one)
        let pPlusOne = [0xEE] + [UInt8](repeating: 0xFF, count: 30) + [0x7F]
        #expect(FieldElement(littleEndian: pPlusOne).littleEndian == one)
        #expect(FieldElement(small: 258).littleEndian == [2, 1] + [UInt8](repeating: 0, count: 30))
    }
}
