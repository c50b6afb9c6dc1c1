import Kernel
import MigrationTransfer
import Synchronization
import Testing

@Suite("Near by first, further off where that fails", .timeLimit(.minutes(1)))
struct PreferredDialerTests {
    /// Links that come as a test says.
    private actor Way: MigrationLinks {
        enum Answer: Sendable {
            case link
            case fails(MigrationTransferError)
            /// Nothing, until it is given up.
            case silent
        }

        nonisolated var dials: Bool { true }
        private let answer: Answer
        private(set) var calls = 0
        private(set) var passedOver = 0
        private(set) var cancelled = 0
        private(set) var made: [MemoryLink] = []

        init(_ answer: Answer) { self.answer = answer }

        func next() async throws -> any MigrationLink {
            calls += 1
            switch answer {
            case .link:
                let link = MemoryLink.pair { _, _ in .none }.dialing
                made.append(link)
                return link
            case .fails(let error): throw error
            case .silent:
                try? await Task.sleep(for: .seconds(60))
                cancelled += 1
                throw CancellationError()
            }
        }

        func passOver() { passedOver += 1 }

        func gave(_ link: any MigrationLink) -> Bool { made.contains { $0 === link } }
    }

    private static func dialer(_ near: Way, _ far: Way) -> PreferredDialer {
        PreferredDialer(near: near, far: far, headStart: .milliseconds(20), time: .system)
    }

    @Test("a phone that is near is dialled there, and nothing is asked of the hub")
    func near() async throws {
        let (near, far) = (Way(.link), Way(.link))
        let link = try await Self.dialer(near, far).next()
        #expect(await near.gave(link))
        #expect(await far.calls == 0)
    }

    @Test("where nothing answers near by, or too late, it goes by the hub", arguments: [false, true])
    func far(isSilent: Bool) async throws {
        let (near, far) = (Way(isSilent ? .silent : .fails(.linkLost)), Way(.link))
        let link = try await Self.dialer(near, far).next()
        #expect(await far.gave(link))
        #expect(await near.cancelled == (isSilent ? 1 : 0), "what was begun near by is given up")
    }

    @Test("a phone near by that did not prove itself is passed over once, and then tried again")
    func stranger() async throws {
        let (near, far) = (Way(.link), Way(.link))
        let dialer = Self.dialer(near, far)
        _ = try await dialer.next()
        await dialer.passOver()
        #expect(await near.passedOver == 1)
        let second = try await dialer.next()
        #expect(await far.gave(second))
        await dialer.passOver()
        #expect(await far.passedOver == 1)
        let third = try await dialer.next()
        #expect(await near.gave(third))
    }

    @Test("what is wrong at the hub is said where neither way leads anywhere, and both are tried the next time")
    func neither() async throws {
        let failure = MigrationTransferError.hubCarriesNoMoves(hub: "hub.example.net")
        let (near, far) = (Way(.fails(.linkLost)), Way(.fails(failure)))
        let dialer = Self.dialer(near, far)
        for count in 1...2 {
            await #expect(throws: failure) { _ = try await dialer.next() }
            #expect(await near.calls == count)
            #expect(await far.calls == count)
        }
    }

    @Test("a stranger that listens at the phone's address does not keep the phones apart")
    func impostor() async throws {
        let (strangers, network) = (MemoryNetwork(), MemoryNetwork())
        let stranger = Task {
            // It answers with what is no message, each time.
            while let link = try? await strangers.acceptor.next() { try? await link.send([1, 2, 3]) }
        }
        let dialer = PreferredDialer(near: strangers.dialer, far: network.dialer, time: .system)
        let phones = TwoPhones(links: (dialer, network.acceptor))
        let ends = try await phones.transfer()
        stranger.cancel()
        #expect(ends.source == .restored && phones.hasArrived)
        #expect(strangers.linkCount == 1)
    }
}
