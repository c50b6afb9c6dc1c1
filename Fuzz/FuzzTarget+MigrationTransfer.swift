import MigrationTransfer

extension FuzzTarget {
    /// A migration's frames: the same however they are cut, never longer than the bound, and what is read of a message is written so that it is
    /// read again. What the machines are told by them never breaks their books.
    static let migrationFrames = FuzzTarget(name: "migration-frames") { bytes in
        guard let first = bytes.first else { return }
        let stream = Array(bytes.dropFirst())
        let whole = bodies(of: stream, step: max(1, stream.count))
        guard whole == bodies(of: stream, step: Int(first) + 1) else {
            finding("cutting the stream changes its frames")
        }
        var source = SourceMachine(transferID: "t")
        var target = TargetMachine(window: 1 << 20)
        source.linked()
        target.linked()
        source.offer(BackupMeta(backupID: "b", transferID: "t", schemaVersion: 1, encSize: 4096, chunkSize: 1024))
        let now = ContinuousClock.now
        for body in whole {
            guard let message = (try? MigrationFrame(body: body)).flatMap({ try? MigrationMessage($0) }) else {
                continue
            }
            guard case .unknown = message else {
                guard let again = (try? message.frame()).flatMap({ try? MigrationMessage($0) }), again == message else {
                    finding("a message that changes when it is written")
                }
                _ = try? source.take(message, at: now)
                if case .decide(let meta) = try? target.take(message) { target.accept(meta, received: ChunkRanges()) }
                check(source, target, now)
                continue
            }
        }
    }

    /// A code: what is read is written so that it is read again.
    static let migrationCode = FuzzTarget(name: "migration-code") { bytes in
        guard let code = try? MigrationCode(String(decoding: bytes, as: UTF8.self)) else { return }
        guard (try? MigrationCode(code.text)) == code else { finding("a code that changes when it is written") }
    }

    /// A receiver's journal: its whole records are in it, and reading only these says the same.
    static let transferJournal = FuzzTarget(name: "transfer-journal") { bytes in
        guard let record = try? TransferProgressRecord(reading: bytes) else { return }
        guard record.wholeBytes <= bytes.count,
            let again = try? TransferProgressRecord(reading: Array(bytes.prefix(record.wholeBytes))), again == record
        else { finding("a journal whose whole part says something else") }
        guard record.received.ranges.allSatisfy({ !$0.isEmpty && $0.upperBound <= ChunkRanges.maximumIndex }) else {
            finding("chunks out of bounds")
        }
    }

    private static func bodies(of stream: [UInt8], step: Int) -> [[UInt8]] {
        var reader = MigrationFrameReader()
        var found: [[UInt8]] = []
        var place = 0
        while place < stream.count {
            reader.append(stream[place..<min(place + step, stream.count)])
            place += step
            do {
                while let body = try reader.next() {
                    guard body.count <= reader.limit else { finding("a body above the bound") }
                    found.append(body)
                }
            } catch {
                return found
            }
        }
        return found
    }

    private static func check(_ source: SourceMachine, _ target: TargetMachine, _ now: ContinuousClock.Instant) {
        var (source, target) = (source, target)
        // Four chunks and a few messages: more than that does not wait to be sent.
        for _ in 0..<64 where source.next(at: now) == nil { break }
        for _ in 0..<64 where target.next() == nil { break }
        guard source.durableBytes >= 0, source.durableBytes <= 4096 else { finding("durable bytes out of bounds") }
        guard target.received.count <= target.meta?.chunkCount ?? 0 else { finding("more chunks than the package has") }
    }
}
