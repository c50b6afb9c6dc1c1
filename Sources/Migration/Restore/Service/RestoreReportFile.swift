import Foundation

/// `report.json` of a restored generation.
enum RestoreReportFile {
    /// Its lists are bounded, and so is it.
    static let byteLimit = 16 << 20

    static func encode(_ report: RestoreReport) -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        do {
            return Array(try encoder.encode(report))
        } catch {
            preconditionFailure("a value of texts and whole numbers has a JSON")
        }
    }

    /// Nil for bytes that are no report.
    static func decode(_ bytes: [UInt8]) -> RestoreReport? {
        try? JSONDecoder().decode(RestoreReport.self, from: Data(bytes))
    }
}
