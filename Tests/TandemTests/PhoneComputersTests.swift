import CommandClient
import Foundation
import Kernel
import Logging
import Pairing
import Rights
import Storage
import Testing

@testable import TandemPhone

@Suite("The computers of a phone, as its features find them", .timeLimit(.minutes(4)))
struct PhoneComputersTests {
    private static func phone() throws -> Phone {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return try Phone(
            state: .inMemory(schema: .phone(with: .standard)) { _ in "phone" },
            configuration: PhoneConfiguration(
                device: PairingDeviceInfo(name: "My phone", platform: .iOS),
                version: "1"
            ),
            logger: logger
        )
    }

    @Test("before the phone is there and when it is gone nothing is paired, and no feature keeps it")
    func late() async throws {
        let computers = PhoneComputers()
        func expectNothing() async {
            await #expect(throws: PhoneError.nothingPaired) { try await computers.peer(named: nil) }
            await #expect(throws: PhoneError.nothingPaired) { try await computers.queue }
            for await list in computers.paired() { Issue.record("\(list)") }
            #expect(computers.advice(on: "clipboard", at: "computer") == nil)
        }
        await expectNothing()
        weak var kept: Phone?
        do {
            let phone = try Self.phone()
            kept = phone
            computers.open(phone)
            #expect(try await computers.queue === phone.queue)
            var lists = computers.paired().makeAsyncIterator()
            #expect(await lists.next() == [])
        }
        #expect(kept == nil)
        await expectNothing()
    }
}
