package import Generations
import MigrationContainer

/// Those parts of a package's archive that its staged generation has as files, with what stands in front of each in the journal. The package's own
/// copy of them is not needed any more: a later reading takes them from here.
package final class StagedArchive: KnownArchive {
    private struct Part {
        let range: Range<UInt64>
        let lead: [UInt8]
        let path: StorePath
    }

    /// Sorted and separate.
    private let parts: [Part]
    private let files: any FileSystemPort
    /// Readings go from the first byte to the last: the file of the one before is mostly that of the next.
    private var last: (path: StorePath, file: any StoreFile)?

    /// What is staged at the moment.
    ///
    /// - Returns: Nil for nothing.
    /// - Throws: What the disk says.
    package static func current(in store: GenerationStore) throws(GenerationsError) -> StagedArchive? {
        guard let staged = store.staged else { return nil }
        return StagedArchive(try StagedFiles.noted(in: store), of: staged.generation, in: store.files)
    }

    init?(_ noted: [StagedFiles.File], of generation: Generation, in files: any FileSystemPort) {
        var parts: [Part] = []
        for file in noted {
            guard let range = file.part, !range.isEmpty, let path = try? StorePath(file.path) else { continue }
            let lead = file.lead.map { Array($0) } ?? []
            parts.append(Part(range: range, lead: lead, path: generation.media.appending(path)))
        }
        parts.sort { $0.range.lowerBound < $1.range.lowerBound }
        for (part, next) in zip(parts, parts.dropFirst()) where part.range.upperBound > next.range.lowerBound {
            // Of no package, where each byte belongs to one file at most.
            return nil
        }
        guard !parts.isEmpty else { return nil }
        self.parts = parts
        self.files = files
    }

    deinit { last?.file.close() }

    package var ranges: [Range<UInt64>] {
        parts.reduce(into: []) { ranges, part in
            if let last = ranges.last, last.upperBound == part.range.lowerBound {
                ranges[ranges.count - 1] = last.lowerBound..<part.range.upperBound
            } else {
                ranges.append(part.range)
            }
        }
    }

    /// A file that cannot be read, or is shorter than it was, is not known.
    package func bytes(in range: Range<UInt64>) -> [UInt8]? {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var index = firstPart(endingBehind: range.lowerBound)
        var place = range.lowerBound
        while place < range.upperBound {
            guard index < parts.count, parts[index].range.contains(place) else { return nil }
            let end = min(parts[index].range.upperBound, range.upperBound)
            guard append(parts[index], place..<end, to: &bytes) else { return nil }
            place = end
            index += 1
        }
        return bytes
    }

    private func append(_ part: Part, _ range: Range<UInt64>, to bytes: inout [UInt8]) -> Bool {
        let body = part.range.lowerBound + UInt64(part.lead.count)
        var start = range.lowerBound
        if start < body {
            let end = min(body, range.upperBound)
            bytes += part.lead[Int(start - part.range.lowerBound)..<Int(end - part.range.lowerBound)]
            start = end
        }
        guard start < range.upperBound else { return true }
        let count = Int(range.upperBound - start)
        guard let file = file(at: part.path), let piece = try? file.read(count, at: start - body),
            piece.count == count
        else { return false }
        bytes += piece
        return true
    }

    private func file(at path: StorePath) -> (any StoreFile)? {
        if let last, last.path == path { return last.file }
        last?.file.close()
        last = nil
        guard let file = try? files.open(path, .read) else { return nil }
        last = (path, file)
        return file
    }

    private func firstPart(endingBehind place: UInt64) -> Int {
        var (low, high) = (0, parts.count)
        while low < high {
            let middle = (low + high) / 2
            if parts[middle].range.upperBound > place { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
