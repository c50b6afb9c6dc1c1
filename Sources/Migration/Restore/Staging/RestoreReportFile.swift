import Foundation
import Generations

/// `report.json` of a restored generation.
enum RestoreReportFile {
    /// Its lists are bounded, and so is it.
    private static let byteLimit = 4 << 20

    private static func path(_ generation: Generation) -> StorePath { generation.folder.appending("report.json") }

    /// Writes it; the generation's verification puts it on the disk.
    static func write(_ report: RestoreReport, of generation: Generation, in store: GenerationStore) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try store.files.write(Array(try encoder.encode(report)), to: path(generation))
    }

    /// Nil for a generation that was not restored.
    ///
    /// - Throws: ``RestoreError/reportLost`` for one that is damaged.
    static func readIfThere(of generation: Generation, in store: GenerationStore) throws -> RestoreReport? {
        guard let bytes = try store.files.contents(of: path(generation), limit: byteLimit) else { return nil }
        guard let report = try? JSONDecoder().decode(RestoreReport.self, from: Data(bytes)) else {
            throw RestoreError.reportLost
        }
        return report
    }

    /// - Throws: ``RestoreError/reportLost``.
    static func read(of generation: Generation, in store: GenerationStore) throws -> RestoreReport {
        guard let report = try readIfThere(of: generation, in: store) else { throw RestoreError.reportLost }
        return report
    }
}
