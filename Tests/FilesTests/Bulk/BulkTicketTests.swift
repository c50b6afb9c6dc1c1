import KernelTesting
import Synchronization
import Testing

@testable import Transfers

@Suite("Tickets of bulk connections", .timeLimit(.minutes(2)))
struct BulkTicketTests {
    private let clock = ManualClock()
    private let secret = [UInt8](repeating: 3, count: 32)
    private let tickets: BulkTickets

    init() { tickets = BulkTickets(time: clock) }

    private func greeting(_ ticket: BulkTicket, secret: [UInt8]? = nil) -> BulkGreeting {
        BulkGreeting(ticket, BulkKeys(secret: secret ?? self.secret, ticket: ticket), from: .dialer)
    }

    @Test("a ticket opens one connection")
    func once() throws {
        let ticket = try tickets.issue(to: "phone", secret: secret)
        #expect(try tickets.admit(greeting(ticket), close: {}).device == "phone")
        #expect(throws: BulkError.unknownToken) { try tickets.admit(greeting(ticket), close: {}) }
    }

    @Test("a wrong token uses the ticket up")
    func wrongToken() throws {
        let ticket = try tickets.issue(to: "phone", secret: secret)
        let other = [UInt8](repeating: 4, count: 32)
        #expect(throws: BulkError.unknownToken) { try tickets.admit(greeting(ticket, secret: other), close: {}) }
        #expect(throws: BulkError.unknownToken) { try tickets.admit(greeting(ticket), close: {}) }
    }

    @Test("a ticket is good for ten seconds")
    func expiry() throws {
        let ticket = try tickets.issue(to: "phone", secret: secret)
        clock.advance(by: .seconds(10))
        #expect(throws: BulkError.unknownToken) { try tickets.admit(greeting(ticket), close: {}) }
    }

    @Test("a device holds four tickets, and another device as many of its own")
    func ticketLimit() throws {
        for _ in 0..<4 { _ = try tickets.issue(to: "phone", secret: secret) }
        #expect(throws: BulkError.tooMany(limit: 4)) { try tickets.issue(to: "phone", secret: secret) }
        _ = try tickets.issue(to: "tablet", secret: secret)
        clock.advance(by: .seconds(10))
        _ = try tickets.issue(to: "phone", secret: secret)
    }

    @Test("a device has eight connections, and one more when one has ended")
    func connectionLimit() throws {
        var last = 0
        for _ in 0..<8 {
            last = try tickets.admit(greeting(tickets.issue(to: "phone", secret: secret)), close: {}).number
        }
        let ticket = try tickets.issue(to: "phone", secret: secret)
        #expect(throws: BulkError.tooMany(limit: 8)) { try tickets.admit(greeting(ticket), close: {}) }
        tickets.end(last)
        _ = try tickets.admit(greeting(tickets.issue(to: "phone", secret: secret)), close: {})
    }

    @Test("a right that is taken away closes its device's connections and tickets at once, and no other's")
    func revocation() throws {
        let closed = Mutex<[String]>([])
        for device in ["phone", "tablet"] {
            let ticket = try tickets.issue(to: device, secret: secret)
            _ = try tickets.admit(greeting(ticket), close: { closed.withLock { $0.append(device) } })
        }
        let unused = try tickets.issue(to: "phone", secret: secret)
        tickets.revoke("phone")
        #expect(closed.withLock { $0 } == ["phone"])
        #expect(throws: BulkError.unknownToken) { try tickets.admit(greeting(unused), close: {}) }
    }

    @Test("thirty-two connections are let in, of whatever devices")
    func totalLimit() throws {
        var last = 0
        for number in 0..<32 {
            let ticket = try tickets.issue(to: "phone \(number / 8)", secret: secret)
            last = try tickets.admit(greeting(ticket), close: {}).number
        }
        #expect(tickets.connectionCount == 32)
        let ticket = try tickets.issue(to: "tablet", secret: secret)
        #expect(throws: BulkError.tooMany(limit: 32)) { try tickets.admit(greeting(ticket), close: {}) }
        tickets.end(last)
        _ = try tickets.admit(greeting(tickets.issue(to: "tablet", secret: secret)), close: {})
    }

    @Test("a listener that ends closes every connection, and gives no ticket any more")
    func closing() throws {
        let closed = Mutex<[String]>([])
        for device in ["phone", "tablet"] {
            let ticket = try tickets.issue(to: device, secret: secret)
            _ = try tickets.admit(greeting(ticket), close: { closed.withLock { $0.append(device) } })
        }
        let unused = try tickets.issue(to: "phone", secret: secret)
        tickets.close()
        #expect(closed.withLock { $0.sorted() } == ["phone", "tablet"])
        #expect(throws: BulkError.unknownToken) { try tickets.admit(greeting(unused), close: {}) }
        #expect(throws: BulkError.closed) { try tickets.issue(to: "phone", secret: secret) }
    }

    @Test("a greeting of another version, or of another protocol, is none")
    func foreign() {
        let size = BulkGreeting.size
        for first in [[UInt8]("GET / HTTP/1.1".utf8), [0x16, 0x03, 0x01], [0xF5, 0x54, 0x42, 0x02], []] {
            let bytes = first + [UInt8](repeating: 0, count: size - first.count)
            #expect(throws: BulkError.unknownToken) { try BulkGreeting(bytes: bytes) }
        }
        #expect(throws: BulkError.unknownToken) { try BulkGreeting(bytes: BulkGreeting.mark) }
    }
}
