import Foundation
import Kernel
import KernelTesting
import Testing

@testable import Files
@testable import FilesHost
@testable import Transfers

@Suite("Contents that arrive apart from their exchange", .timeLimit(.minutes(1)))
struct BundleTests {
    private let clock = ManualClock()
    private let batches: ActiveBatches

    init() { batches = ActiveBatches(time: clock) }

    /// Announces files of these sizes, all of them wanted but the second.
    private func begin(_ sizes: [Int], of caller: String = "phone") throws -> TransferID {
        let files = sizes.indices.map {
            WholeFile(name: [0x61 + UInt8($0)], content: [UInt8](repeating: 0, count: sizes[$0]))
        }
        let wanted = sizes.indices.filter { $0 != 1 }
        let batch = ActiveBatches.Batch(
            caller: caller,
            direction: .upload,
            path: "~",
            beganAt: Date(timeIntervalSince1970: 0),
            bundle: ArrivingBundle(
                UploadFiles(announcing: files, in: "~", replacing: false),
                wanted: wanted,
                size: wanted.reduce(0) { $0 + sizes[$1] },
                now: clock.now
            )
        )
        try batches.begin(batch, others: 0)
        return batch.id
    }

    private func bundle(_ id: TransferID) throws -> ArrivingBundle {
        try #require(try batches.arriving(id, of: "phone")).bundle
    }

    @Test("parts in any order, and some twice, make the files that were wanted")
    func parts() throws {
        let id = try begin([2, 9, 0, 3])
        #expect(throws: TransferError.incomplete(missing: 5)) { try bundle(id).take() }
        for (bytes, offset) in [([4, 5], 3), ([1, 2, 3], 0), ([1, 2, 3], 0)] as [([UInt8], Int64)] {
            #expect(try batches.write(bytes[...], at: offset, of: id, by: "phone"))
        }
        let files = try bundle(id).take()
        #expect(files.map(\.content) == [[1, 2], [], [3, 4, 5]])
        #expect(files.map(\.name) == [[0x61], [0x63], [0x64]])
        // They are given out once.
        #expect(throws: TransferError.badChunk("the files are complete")) { try bundle(id).take() }
        #expect(throws: TransferError.self) { try batches.write([1], at: 0, of: id, by: "phone") }
    }

    @Test("what lies outside, is empty or scattered is refused, and another device is told nothing")
    func refused() throws {
        let id = try begin([400])
        for (count, offset) in [(1, 400), (401, 0), (1, -1), (0, 0), (1, .max)] as [(Int, Int64)] {
            #expect(throws: TransferError.self) {
                try batches.write([UInt8](repeating: 1, count: count)[...], at: offset, of: id, by: "phone")
            }
        }
        for offset in 0..<64 { #expect(try batches.write([1], at: Int64(2 * offset), of: id, by: "phone")) }
        #expect(throws: TransferError.self) { try batches.write([1], at: 200, of: id, by: "phone") }
        // What joins others is not scattered.
        #expect(try batches.write([1], at: 1, of: id, by: "phone"))
        #expect(try batches.arriving(id, of: "tablet") == nil)
        #expect(try !batches.write([1], at: 0, of: id, by: "tablet"))
    }

    @Test("it counts among its device's eight transfers until nothing came for a minute")
    func idleness() throws {
        let first = try begin([1])
        for _ in 1..<8 { _ = try begin([1]) }
        #expect(throws: TransferError.tooMany(limit: 8)) { try begin([1]) }
        _ = try begin([1], of: "tablet")
        clock.advance(by: .seconds(50))
        #expect(try batches.write([1], at: 0, of: first, by: "phone"))
        clock.advance(by: .seconds(11))
        #expect(batches.count(of: "phone") == 1)
        #expect(batches.count(of: "tablet") == 0)
        _ = try begin([1])
    }

    @Test("it ends with its right, and when the computer's owner ends it")
    func ended() throws {
        let id = try begin([1])
        batches.endAll(.download, of: "phone")
        #expect(batches.count(of: "phone") == 1)
        batches.endAll(.upload, of: "phone")
        #expect(try batches.arriving(id, of: "phone") == nil)
        #expect(batches.count(of: "phone") == 0)
        let next = try begin([1])
        #expect(batches.end(next))
        #expect(throws: TransferError.ended) { try batches.write([1], at: 0, of: next, by: "phone") }
    }
}
