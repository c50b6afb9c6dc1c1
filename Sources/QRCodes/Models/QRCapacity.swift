/// The capacity of QR codes by size and level. Text is always written in byte mode: JSON gains next to nothing from the others.
package enum QRCapacity {
    /// The number of bytes that a code of version 1, 2, … 40 holds in byte mode (ISO/IEC 18004, table 7).
    private static let capacities: [QRErrorCorrection: [Int]] = [
        .low: [
            17, 32, 53, 78, 106, 134, 154, 192, 230, 271, 321, 367, 425, 458, 520, 586, 644, 718, 792, 858,
            929, 1003, 1091, 1171, 1273, 1367, 1465, 1528, 1628, 1732, 1840, 1952, 2068, 2188, 2303, 2431, 2563, 2699,
            2809,
            2953,
        ],
        .medium: [
            14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666,
            711, 779, 857, 911, 997, 1059, 1125, 1190, 1264, 1370, 1452, 1538, 1628, 1722, 1809, 1911, 1989, 2099, 2213,
            2331,
        ],
        .quartile: [
            11, 20, 32, 46, 60, 74, 86, 108, 130, 151, 177, 203, 241, 258, 292, 322, 364, 394, 442, 482,
            509, 565, 611, 661, 715, 751, 805, 868, 908, 982, 1030, 1112, 1168, 1228, 1283, 1351, 1423, 1499, 1579,
            1663,
        ],
        .high: [
            7, 14, 24, 34, 44, 58, 64, 84, 98, 119, 137, 155, 177, 194, 220, 250, 280, 310, 338, 382,
            403, 439, 461, 511, 535, 593, 625, 658, 698, 742, 790, 842, 898, 958, 983, 1051, 1093, 1139, 1219, 1273,
        ],
    ]

    /// The smallest module, in millimetres, that a phone a hand's width away can still resolve: four dots of a 300 dpi printer.
    static let smallestModuleMillimetres = 0.33

    /// The largest number of bytes of text that a code of `level` can hold.
    package static func maximumByteCount(_ level: QRErrorCorrection) -> Int {
        capacities[level]?.last ?? 0
    }

    /// The number of modules along one edge of the smallest code that holds `byteCount` bytes; nil when none does.
    package static func side(forByteCount byteCount: Int, level: QRErrorCorrection) -> Int? {
        capacities[level]?.firstIndex { $0 >= byteCount }.map { 21 + 4 * $0 }
    }

    /// The recommended level: medium while a code `printedMillimetres` wide has modules large enough to read, low beyond that.
    ///
    /// On a clean screen, modules are lost to a camera that cannot resolve them, not to dirt: past that point, fewer and larger
    /// modules are worth more than correction.
    package static func recommendedLevel(
        forByteCount byteCount: Int,
        printedMillimetres: Double = 25
    ) -> QRErrorCorrection {
        guard let side = side(forByteCount: byteCount, level: .medium) else { return .low }
        return printedMillimetres / Double(side) >= smallestModuleMillimetres ? .medium : .low
    }
}
