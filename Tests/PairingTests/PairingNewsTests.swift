import Foundation
import Kernel
import KernelTesting
import Pairing
import PairingTesting
import Sealing
import Testing

@Suite("What a terminal is told while a code is shown", .timeLimit(.minutes(4)))
struct PairingNewsTests {
    /// The news of a host, as far as it has come.
    private struct Reader {
        var news: PairingNews
        let host: PairingHost

        init(_ host: PairingHost) async {
            news = PairingNews(since: await host.status())
            self.host = host
        }

        /// What is new now.
        mutating func next() async -> [PairingNews.Item] { news.items(for: await host.status()) }
    }

    private func wrong(_ code: TypedCode) throws -> TypedCode {
        try TypedCode(code.code.digits + (code.digits.hasSuffix("0000") ? "0001" : "0000"))
    }

    @Test("a wrong code brings the new digits beside the same QR code, the third one the lock and its end, each once")
    func wrongCodes() async throws {
        let scene = try await PairingScene()
        var reader = await Reader(scene.host)
        let first = try await scene.host.makeCode()
        #expect(await reader.next() == [.code(first)])
        #expect(await reader.next() == [])
        var code = try #require(first.typed)
        for _ in 0..<2 {
            while !Task.isCancelled, !scene.relay.isRegistered(code.code.alias) { await Task.yield() }
            await #expect(throws: PairingError.wrongCode) { try await scene.phone.pair(typing: wrong(code)) }
            let items = await reader.next()
            guard case .digitsReplaced(let shown)? = items.first, items.count == 1, let typed = shown.typed else {
                Issue.record("other digits take the place of the wrong ones: \(items)")
                return
            }
            #expect(shown.qr == first.qr)
            code = typed
        }
        while !Task.isCancelled, !scene.relay.isRegistered(code.code.alias) { await Task.yield() }
        await #expect(throws: PairingError.wrongCode) { try await scene.phone.pair(typing: wrong(code)) }
        let locked = await scene.host.status()
        guard case .shown(let shown) = locked.code else {
            Issue.record("the code is still shown")
            return
        }
        let until = try #require(locked.typedCodesLockedUntil)
        #expect(await reader.next() == [.digitsLocked(shown, until: until)])
        #expect(until == scene.clock.date.addingTimeInterval(60))
        await scene.pass(seconds: 61)
        let open = try await scene.status { $0.typedCodesLockedUntil == nil }
        guard case .shown(let unlocked) = open.code else {
            Issue.record("the code is still shown")
            return
        }
        #expect(await reader.next() == [.digitsUnlocked(unlocked)])
    }

    @Test("who asks is told once, then that they are paired, and nothing is said to be used up in between")
    func accepted() async throws {
        let scene = try await PairingScene()
        var reader = await Reader(scene.host)
        let shown = try await scene.host.makeCode()
        #expect(await reader.next() == [.code(shown)])
        let pairing = Task { try await scene.phone.pair(with: scene.phone.read(shown.qrText)) }
        let request = try await scene.request()
        #expect(await reader.next() == [.request(request)])
        let phone = try await scene.host.accept(request.id)
        #expect(await reader.next() == [.paired(phone)])
        _ = try await pairing.value
        #expect(await reader.next() == [])
    }

    @Test("a refusal ends the request and uses up the code, so that nobody goes on waiting for it")
    func refused() async throws {
        let scene = try await PairingScene()
        var reader = await Reader(scene.host)
        let shown = try await scene.host.makeCode()
        let pairing = Task { try await scene.phone.pair(with: scene.phone.read(shown.qrText)) }
        let request = try await scene.request()
        #expect(await reader.next() == [.request(request)])
        try await scene.host.reject(request.id)
        #expect(await reader.next() == [.requestOver(request), .usedUp])
        await #expect(throws: PairingError.declined(name: "studio-pc")) { try await pairing.value }
    }

    @Test("a code that is over says so once, and a new one is shown")
    func expired() async throws {
        let scene = try await PairingScene()
        var reader = await Reader(scene.host)
        try await scene.host.makeCode()
        _ = await reader.next()
        await scene.clock.sleepers(1)
        scene.clock.advance(by: .seconds(301))
        _ = try await scene.status { $0.code == .expired }
        #expect(await reader.next() == [.expired])
        #expect(await reader.next() == [])
        let next = try await scene.host.makeCode()
        #expect(await reader.next() == [.code(next)])
    }

    @Test("a code that is taken back is said once, and a phone that comes with it is told that it is over")
    func withdrawn() async throws {
        let scene = try await PairingScene()
        var reader = await Reader(scene.host)
        #expect(await !scene.host.withdrawCode())
        #expect(await reader.next() == [])
        let shown = try await scene.host.makeCode()
        _ = await reader.next()
        #expect(await scene.host.withdrawCode())
        #expect(await reader.next() == [.withdrawn])
        #expect(await reader.next() == [])
        await #expect(throws: PairingError.self) { try await scene.phone.pair(with: scene.phone.read(shown.qrText)) }
        #expect(await scene.host.requests().isEmpty)
        let rejections = scene.lan.frames.filter { $0.payload["type"] == "pairing:reject" }
        #expect(rejections.map { $0.payload["reason"] } == ["expired"])
    }

    @Test("a code that was used is not taken back: what becomes of its request is still told")
    func withdrawnTooLate() async throws {
        let scene = try await PairingScene()
        var reader = await Reader(scene.host)
        let shown = try await scene.host.makeCode()
        let pairing = Task { try await scene.phone.pair(with: scene.phone.read(shown.qrText)) }
        let request = try await scene.request()
        _ = await reader.next()
        #expect(await !scene.host.withdrawCode())
        #expect(await reader.next() == [])
        try await scene.host.reject(request.id)
        #expect(await reader.next() == [.requestOver(request), .usedUp])
        await #expect(throws: PairingError.declined(name: "studio-pc")) { try await pairing.value }
    }

    @Test("who asks again is listed once, with what was asked last")
    func again() async throws {
        let scene = try await PairingScene()
        var reader = await Reader(scene.host)
        // The program on the phone ended without a word.
        scene.lan.tamper { $0.payload["type"] == "pairing:withdraw" ? [] : [$0] }
        let first = try await scene.host.makeCode()
        let earlier = Task { try await scene.phone.pair(with: scene.phone.read(first.qrText)) }
        let request = try await scene.request()
        earlier.cancel()
        _ = await earlier.result
        let second = try await scene.host.makeCode()
        _ = await reader.next()
        let pairing = Task { try await scene.phone.pair(with: scene.phone.read(second.qrText)) }
        let status = try await scene.status { !$0.requests.isEmpty && $0.requests.first != request }
        #expect(status.requests.map(\.did) == [scene.phoneIdentity.did])
        let newer = try #require(status.requests.first)
        #expect(await reader.next() == [.requestOver(request), .request(newer)])
        await #expect(throws: PairingError.unknownRequest) { try await scene.host.accept(request.id) }
        let phone = try await scene.host.accept(newer.id)
        #expect(try await pairing.value.pcPeerID == PairingScene.desktopID)
        #expect(phone.did == scene.phoneIdentity.did)
    }
}
