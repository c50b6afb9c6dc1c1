import Commands
import Foundation
import Kernel
import Pairing
import Rights
import Sealing
import Synchronization
import Testing
import Transfers

@testable import TandemDesktop

@Suite("What a phone's rights let through", .timeLimit(.minutes(4)))
struct OutgoingRightsTests {
    /// A record that a test changes, and what went out to its phone.
    private final class Scene: Sendable {
        let phone: Mutex<PairedPhone?>
        let sent = Mutex(0)
        let did: DID

        init(_ rights: Set<Right>) {
            let identity = Identity()
            did = identity.did
            phone = Mutex(
                PairedPhone(
                    did: identity.did,
                    deviceID: "p",
                    name: "Ada's phone",
                    platform: .iOS,
                    agreementKey: identity.agreementKey,
                    pairedAt: Date(timeIntervalSince1970: 0),
                    lastSeenAt: Date(timeIntervalSince1970: 0),
                    allowedSkills: rights,
                    state: .confirmed
                )
            )
        }

        func outlet() -> PhoneOutlet {
            let outlet = PhoneOutlet(record: { did in self.phone.withLock { $0?.did == did ? $0 : nil } })
            outlet.attach(
                send: { _, _, _ in self.sent.withLock { $0 += 1 } },
                tell: { _, _ in self.sent.withLock { $0 += 1 } }
            )
            return outlet
        }
    }

    private static let everything = Set(Right.allCases)

    @Test(
        "each kind of event goes out with its right, and not after it was taken back",
        arguments: RemoteEventKind.allCases
    )
    func events(kind: RemoteEventKind) async throws {
        let scene = Scene(Self.everything)
        let outlet = scene.outlet()
        try await outlet.send(RemoteEvent(kind, [:]), to: scene.did.text)
        #expect(scene.sent.withLock(\.self) == 1)
        scene.phone.withLock { _ = $0?.allowedSkills.remove(kind.right) }
        await #expect(throws: RemoteError.notConnected) {
            try await outlet.send(RemoteEvent(kind, [:]), to: scene.did.text)
        }
        scene.phone.withLock { $0?.allowedSkills = [kind.right] }
        try await outlet.send(RemoteEvent(kind, [:]), to: scene.did.text)
        #expect(scene.sent.withLock(\.self) == 2)
    }

    @Test("nothing goes out to a phone whose record is gone, nor an event that no right stands for")
    func gone() async throws {
        let scene = Scene(Self.everything)
        let outlet = scene.outlet()
        await #expect(throws: RemoteError.notConnected) {
            try await outlet.send(RemoteEvent("somebody.said", [:]), to: scene.did.text)
        }
        scene.phone.withLock { $0 = nil }
        for kind in RemoteEventKind.allCases {
            await #expect(throws: RemoteError.notConnected) {
                try await outlet.send(RemoteEvent(kind, [:]), to: scene.did.text)
            }
        }
        #expect(scene.sent.withLock(\.self) == 0)
    }

    @Test("a file's bytes need the right to read, word of what arrived the right to write, a refusal none")
    func frames() async throws {
        let contents: [(TransferFrame.Content, Right?)] = [
            (.data([1, 2, 3]), .fileRead), (.taken(count: 3), .fileWrite), (.refused(code: -32010, reason: "no"), nil),
        ]
        for (content, right) in contents {
            let frame = TransferFrame(transfer: TransferID(), offset: 0, content: content)
            let without = Scene(right.map { Self.everything.subtracting([$0]) } ?? [])
            if right == nil {
                try await without.outlet().send(frame, to: without.did.text)
                #expect(without.sent.withLock(\.self) == 1)
            } else {
                await #expect(throws: RemoteError.notConnected) {
                    try await without.outlet().send(frame, to: without.did.text)
                }
                #expect(without.sent.withLock(\.self) == 0)
            }
            let with = Scene(right.map { [$0] } ?? [])
            try await with.outlet().send(frame, to: with.did.text)
            #expect(with.sent.withLock(\.self) == 1)
        }
    }
}
