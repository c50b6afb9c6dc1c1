/// The modules of one QR code, without its quiet zone.
package struct QRMatrix: Hashable, Sendable {
    /// The number of modules along one edge: 21, 25, … 177.
    package let side: Int
    private let darkModules: [Bool]

    /// - Parameter darkModules: The modules row by row from the top left, true where one is dark.
    /// - Throws: ``QRError/malformedMatrix(side:modules:)`` unless `side` is a QR code's and every module is there.
    package init(side: Int, darkModules: [Bool]) throws(QRError) {
        guard (21...177).contains(side), (side - 17).isMultiple(of: 4), darkModules.count == side * side else {
            throw .malformedMatrix(side: side, modules: darkModules.count)
        }
        self.side = side
        self.darkModules = darkModules
    }

    /// Whether a module is dark. Everything outside the code is light, so a quiet zone needs no special case.
    package func isDark(column: Int, row: Int) -> Bool {
        guard (0..<side).contains(column), (0..<side).contains(row) else { return false }
        return darkModules[row * side + column]
    }

    /// The width, in light modules, of the border that a reader needs around the code (ISO/IEC 18004, 9.1).
    package static let standardQuietZone = 4

    /// The runs of adjacent dark modules in a row, from left to right.
    func darkRuns(row: Int) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        var column = 0
        while column < side {
            guard isDark(column: column, row: row) else {
                column += 1
                continue
            }
            let start = column
            while isDark(column: column, row: row) { column += 1 }
            runs.append(start..<column)
        }
        return runs
    }
}
