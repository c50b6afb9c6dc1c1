import Foundation
import Kernel
import Synchronization
import Testing

@testable import Transfers

/// Bytes in memory as both ends' files.
final class MemoryBodies: BulkBodies {
    private let content: Mutex<[UInt8]>
    private let isAllowed = Mutex(true)

    init(_ content: [UInt8]) { self.content = Mutex(content) }

    var bytes: [UInt8] { content.withLock { $0 } }

    func deny() { isAllowed.withLock { $0 = false } }

    func write(_ block: ArraySlice<UInt8>, at offset: Int64, of transfer: TransferID, by device: String) throws {
        guard isAllowed.withLock({ $0 }), device == "phone" else { throw TransferError.ended }
        content.withLock { $0.replaceSubrange(Int(offset)..<Int(offset) + block.count, with: block) }
    }

    func read(_ count: Int, at offset: Int64, of transfer: TransferID, by device: String) throws -> ArraySlice<UInt8> {
        guard isAllowed.withLock({ $0 }), device == "phone" else { throw TransferError.ended }
        return content.withLock { $0[Int(offset)..<Int(offset) + count] }
    }

    func part(_ count: Int, at offset: Int64) -> [UInt8] {
        content.withLock { Array($0[Int(offset)..<Int(offset) + count]) }
    }
}

@Suite("A bulk connection on loopback", .timeLimit(.minutes(2)))
struct BulkLinkTests {
    private let secret = [UInt8](repeating: 9, count: 32)
    private let tickets = BulkTickets(time: .awake)
    private let work = BlockingWork("test", width: 2)
    private static let size = 3 << 20

    private func pattern() -> [UInt8] { (0..<Self.size).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 9) } }

    private func link(to listener: BulkListener) async throws -> BulkByteLink {
        let ticket = try tickets.issue(to: "phone", secret: secret)
        let keys = BulkKeys(secret: secret, ticket: ticket)
        let connection = try await work.run {
            try BulkConnection.dial(BulkSocket.connect(to: "127.0.0.1", port: listener.port), ticket, keys)
        }
        return BulkByteLink(connection)
    }

    @Test("parts go both ways at once and arrive as they are")
    func bothWays() async throws {
        let computer = MemoryBodies([UInt8](repeating: 0, count: Self.size))
        let listener = try BulkListener(address: "127.0.0.1", tickets: tickets, bodies: computer)
        defer { listener.end() }
        let link = try await link(to: listener)
        defer { link.end() }
        let file = MemoryBodies(pattern())
        let upload = TransferID()
        try await withThrowingTaskGroup { group in
            for part in 0..<3 {
                group.addTask {
                    let offset = Int64(part) << 20
                    try await link.send(1 << 20, at: offset, of: upload) { file.part(1 << 20, at: offset) }
                }
            }
            try await group.waitForAll()
        }
        #expect(computer.bytes == file.bytes)
        let fetched = MemoryBodies([UInt8](repeating: 0, count: Self.size))
        let download = TransferID()
        try await withThrowingTaskGroup { group in
            for part in 0..<3 {
                group.addTask {
                    try await link.fetch(1 << 20, at: Int64(part) << 20, of: download) {
                        try fetched.write($0, at: $1, of: download, by: "phone")
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(fetched.bytes == file.bytes)
    }

    @Test("a refused part says why, and the connection goes on")
    func refusal() async throws {
        let computer = MemoryBodies([1, 2, 3, 4])
        let listener = try BulkListener(address: "127.0.0.1", tickets: tickets, bodies: computer)
        defer { listener.end() }
        let link = try await link(to: listener)
        defer { link.end() }
        computer.deny()
        for _ in 0..<2 {
            await #expect(throws: TransferError.refused(code: -32002, reason: "\(TransferError.ended)")) {
                try await link.fetch(4, at: 0, of: TransferID()) { _, _ in }
            }
        }
        #expect(link.isUsable)
    }

    @Test("a trouble of the phone's own disk is that part's")
    func ownTrouble() async throws {
        let listener = try BulkListener(address: "127.0.0.1", tickets: tickets, bodies: MemoryBodies([1, 2, 3, 4]))
        defer { listener.end() }
        let link = try await link(to: listener)
        defer { link.end() }
        await #expect(throws: TransferError.busy) {
            try await link.fetch(4, at: 0, of: TransferID()) { _, _ in throw TransferError.busy }
        }
        try await link.fetch(4, at: 0, of: TransferID()) { bytes, _ in #expect(Array(bytes) == [1, 2, 3, 4]) }
    }

    @Test("a file that cannot be read any more is its part's trouble, and the next part goes the same way")
    func unreadable() async throws {
        let computer = MemoryBodies([0, 0, 0, 0])
        let listener = try BulkListener(address: "127.0.0.1", tickets: tickets, bodies: computer)
        defer { listener.end() }
        let link = try await link(to: listener)
        defer { link.end() }
        await #expect(throws: TransferError.sourceChanged("The file")) {
            try await link.send(4, at: 0, of: TransferID()) { [1, 2, 3] }
        }
        try await link.send(4, at: 0, of: TransferID()) { [1, 2, 3, 4] }
        #expect(computer.bytes == [1, 2, 3, 4])
    }

    @Test("a listener on all addresses is reached over IPv4, and over IPv6 only where its owner did not say 0.0.0.0")
    func allAddresses() async throws {
        for address in ["0.0.0.0", "::"] {
            let listener = try BulkListener(address: address, tickets: tickets, bodies: MemoryBodies([1, 2, 3, 4]))
            defer { listener.end() }
            let link = try await link(to: listener)
            defer { link.end() }
            try await link.fetch(4, at: 0, of: TransferID()) { bytes, _ in #expect(Array(bytes) == [1, 2, 3, 4]) }
            guard address == "0.0.0.0" else { continue }
            await #expect(throws: BulkError.self) {
                try await work.run { _ = try BulkSocket.connect(to: "::1", port: listener.port) }
            }
        }
    }

    @Test("strangers that connect and say nothing keep nobody out")
    func silence() async throws {
        let listener = try BulkListener(address: "127.0.0.1", tickets: tickets, bodies: MemoryBodies([1, 2, 3, 4]))
        defer { listener.end() }
        let silent = try await work.run {
            try (0..<20).map { _ in try BulkSocket.connect(to: "127.0.0.1", port: listener.port) }
        }
        let link = try await link(to: listener)
        defer { link.end() }
        try await link.fetch(4, at: 0, of: TransferID()) { bytes, _ in #expect(Array(bytes) == [1, 2, 3, 4]) }
        withExtendedLifetime(silent) {}
    }

    /// Both ends of a connection, the listener's in the test's hands.
    private func pair() async throws -> (phone: BulkConnection, computer: BulkConnection) {
        var numbers: [Int32] = [0, 0]
        #if canImport(Darwin)
            let kind = SOCK_STREAM
        #else
            let kind = Int32(SOCK_STREAM.rawValue)
        #endif
        try #require(socketpair(AF_UNIX, kind, 0, &numbers) == 0)
        let (ours, theirs) = (BulkSocket(numbers[0]), BulkSocket(numbers[1]))
        let ticket = try tickets.issue(to: "phone", secret: secret)
        let keys = BulkKeys(secret: secret, ticket: ticket)
        async let phone = work.run { try BulkConnection.dial(ours, ticket, keys) }
        async let computer = work.run { [tickets] in try BulkConnection.accept(theirs, tickets).connection }
        return (try await phone, try await computer)
    }

    @Test("a paired computer that answers what nobody asked for loses its connection", arguments: 0..<4)
    func unasked(answer: Int) async throws {
        let (phone, computer) = try await pair()
        let reason = Mutex<BulkError?>(nil)
        let link = BulkByteLink(phone) { _, error, _ in reason.withLock { $0 = error } }
        defer { link.end() }
        let (body, bytes) = (TransferID(), [UInt8](repeating: 0, count: 8))
        let head =
            switch answer {
            case 0: BulkRecordHead(.data, body: body, count: 8)
            case 1: BulkRecordHead(.taken, body: body, count: 8)
            case 2: BulkRecordHead(.refused, body: body, count: 8)
            default: BulkRecordHead(.want, body: body, count: 8)
            }
        try await work.run { try computer.send(head) { bytes[$0..<$0 + $1] } }
        while !Task.isCancelled, reason.withLock({ $0 == nil }) { await Task.yield() }
        #expect(!link.isUsable)
        guard case .malformed? = reason.withLock(\.self) else {
            Issue.record("\(String(describing: reason.withLock(\.self)))")
            return
        }
    }

    @Test("a port that is taken, and an address that is none, say so")
    func notListening() throws {
        let listener = try BulkListener(address: "127.0.0.1", tickets: tickets, bodies: MemoryBodies([]))
        defer { listener.end() }
        for (address, port) in [("127.0.0.1", listener.port), ("localhost?", 0)] {
            #expect {
                _ = try BulkListener(address: address, port: port, tickets: tickets, bodies: MemoryBodies([]))
            } throws: {
                if case .notListening? = $0 as? BulkError { true } else { false }
            }
        }
    }

    @Test("a right that is taken away ends the connection at once")
    func revocation() async throws {
        let listener = try BulkListener(address: "127.0.0.1", tickets: tickets, bodies: MemoryBodies([1, 2, 3, 4]))
        defer { listener.end() }
        let link = try await link(to: listener)
        defer { link.end() }
        try await link.fetch(4, at: 0, of: TransferID()) { _, _ in }
        tickets.revoke("phone")
        await #expect(throws: BulkError.self) { try await link.fetch(4, at: 0, of: TransferID()) { _, _ in } }
        #expect(!link.isUsable)
    }

    @Test("a stranger is told nothing, and a listener that does not know the key is sent nothing")
    func strangers() async throws {
        let listener = try BulkListener(address: "127.0.0.1", tickets: tickets, bodies: MemoryBodies([1]))
        defer { listener.end() }
        let secret = secret
        await #expect(throws: BulkError.self) {
            try await work.run {
                let ticket = BulkTicket.random()
                let socket = try BulkSocket.connect(to: "127.0.0.1", port: listener.port)
                _ = try BulkConnection.dial(socket, ticket, BulkKeys(secret: secret, ticket: ticket))
            }
        }
    }

    @Test("a port where nobody listens fails within the time of dialing")
    func nobody() async throws {
        await #expect(throws: BulkError.self) {
            try await work.run { _ = try BulkSocket.connect(to: "127.0.0.1", port: 1) }
        }
    }
}
