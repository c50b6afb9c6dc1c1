import QRCodes
import Testing

@Suite("QR matrix", .timeLimit(.minutes(4)))
struct QRMatrixTests {
    @Test("edges a QR code cannot have are refused", arguments: [0, 1, 20, 22, 24, 178, 181])
    func impossibleEdges(side: Int) {
        #expect(throws: QRError.malformedMatrix(side: side, modules: side * side)) {
            try QRMatrix(side: side, darkModules: Array(repeating: false, count: side * side))
        }
    }

    @Test("missing modules are refused")
    func missingModules() {
        #expect(throws: QRError.malformedMatrix(side: 21, modules: 440)) {
            try QRMatrix(side: 21, darkModules: Array(repeating: true, count: 440))
        }
    }

    @Test("everything around the code is light")
    func quietZone() throws {
        let matrix = try QRMatrix(side: 21, darkModules: Array(repeating: true, count: 441))
        #expect(matrix.isDark(column: 0, row: 0))
        #expect(matrix.isDark(column: 20, row: 20))
        #expect(!matrix.isDark(column: -1, row: 0))
        #expect(!matrix.isDark(column: 0, row: -1))
        #expect(!matrix.isDark(column: 21, row: 20))
        #expect(!matrix.isDark(column: 20, row: 21))
    }
}
