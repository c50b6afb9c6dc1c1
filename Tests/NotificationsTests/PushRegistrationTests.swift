import CommandClient
import Commands
import Control
import FeatureTesting
import Kernel
import KernelTesting
import Logging
import Rights
import Storage
import Synchronization
import Testing

@testable import Notifications

@Suite("Where a phone is woken, told to its computers", .timeLimit(.minutes(1)))
struct PushRegistrationTests {
    private final class Scene: Sendable {
        /// Calls of the methods of push, with their parameters.
        let calls = Mutex<[(method: String, params: JSONValue)]>([])
        let refusal = Mutex<RemoteFailure?>(nil)
        let inbox: NotificationInbox
        let table: ControlTable

        init() throws {
            let computer = FakeComputer()
            let hooks = Hooks()
            var logger = Logger(label: "test")
            logger.logLevel = .critical
            let phone = PhoneNotifications(
                store: NotificationStore(try StateDatabase.inMemory(schema: [NotificationStore.migrations])),
                presenter: FollowedPresenter(),
                time: ManualClock(),
                logger: logger
            )
            inbox = NotificationInbox(
                ComputerContext(
                    id: FakeComputer.id,
                    call: { method, params, _, _ in
                        guard method.contains("Push") else { return try computer.call(method, params) }
                        return try hooks.take(method, params)
                    },
                    sendFrame: { _ in }
                ),
                phone
            )
            let computers = ScriptedComputers(ScriptedPeer(answering: [:]), part: inbox)
            table = ControlTable(
                NotificationRoutes(PhoneSide(phone, computers)) { try await computers.peer(named: $0) }.control
            )
            hooks.scene = self
        }

        /// Set before anything is called.
        private final class Hooks: @unchecked Sendable {
            weak var scene: Scene?

            func take(_ method: String, _ params: JSONValue) throws -> JSONValue {
                scene?.calls.withLock { $0.append((method, params)) }
                if let refusal = scene?.refusal.withLock(\.self) { throw refusal }
                return ["success": true]
            }
        }

        func push(_ subscription: JSONValue?) async throws -> JSONValue {
            var params: [String: JSONValue] = [:]
            params["subscription"] = subscription
            return try await table.call("notifications.push", .object(params)) { _ in }
        }
    }

    private static let subscription: JSONValue = [
        "endpoint": "https://push.example/1", "p256dh": "key", "auth": "secret", "applicationKey": "own",
    ]

    @Test("a computer is told once, when it is there, and told again only what changes")
    func told() async throws {
        let scene = try Scene()
        #expect(try await scene.push(Self.subscription) == ["told": 0, "waiting": 1])
        #expect(scene.calls.withLock(\.count) == 0)
        await scene.inbox.reached()
        while !Task.isCancelled, try await scene.inbox.phone.store.pushToTell(FakeComputer.id) != nil {
            await Task.yield()
        }
        let call = scene.calls.withLock { $0[0] }
        #expect(call.method == "notification.registerPush")
        // With it goes how this phone calls the computer, so that the message says which one it is from.
        #expect(call.params == Self.subscription.adding("device", .string(FakeComputer.id)))
        #expect(try await scene.push(Self.subscription) == ["told": 1, "waiting": 0])
        #expect(scene.calls.withLock(\.count) == 1)
        let other = Self.subscription.adding("endpoint", "https://push.example/2")
        #expect(try await scene.push(other) == ["told": 1, "waiting": 0])
        #expect(scene.calls.withLock { $0.last?.params["endpoint"] } == "https://push.example/2")
        #expect(try await scene.push(nil) == ["told": 1, "waiting": 0])
        #expect(scene.calls.withLock { $0.last?.method } == "notification.unregisterPush")
        #expect(try await scene.push(nil) == ["told": 1, "waiting": 0])
        #expect(scene.calls.withLock(\.count) == 3)
        await scene.inbox.close()
    }

    @Test("a computer that may have lost it is told again: when it is reached, and when it gives the right back")
    func inDoubt() async throws {
        let scene = try Scene()
        func calls(_ count: Int) async -> [String] {
            while !Task.isCancelled, scene.calls.withLock(\.count) < count { await Task.yield() }
            return scene.calls.withLock { calls in calls.map { $0.method } }
        }
        _ = try await scene.push(Self.subscription)
        await scene.inbox.reached()
        while !Task.isCancelled, try await scene.inbox.phone.store.pushToTell(FakeComputer.id) != nil {
            await Task.yield()
        }
        await scene.inbox.reached()
        #expect(await calls(2) == ["notification.registerPush", "notification.registerPush"])
        await scene.inbox.allowed([.notification])
        #expect(await calls(3).last == "notification.registerPush")
        #expect(scene.calls.withLock { $0[2].params } == Self.subscription.adding("device", .string(FakeComputer.id)))
        #expect(try await scene.push(nil) == ["told": 1, "waiting": 0])
        // Also that it ended, since an earlier state of its database knows it still.
        await scene.inbox.reached()
        #expect(await calls(5).suffix(2) == ["notification.unregisterPush", "notification.unregisterPush"])
        await scene.inbox.close()
    }

    @Test("a phone that never was woken tells nothing")
    func nothing() async throws {
        let scene = try Scene()
        await scene.inbox.reached()
        #expect(try await scene.push(nil) == ["told": 1, "waiting": 0])
        #expect(scene.calls.withLock(\.count) == 0)
        await scene.inbox.close()
    }

    @Test("why no computer takes it is said; one that knows no pushes is asked again another time")
    func refused() async throws {
        let scene = try Scene()
        await scene.inbox.reached()
        scene.refusal.withLock { $0 = RemoteFailure(code: FailureCode.unknownMethod, message: "what?") }
        #expect(try await scene.push(Self.subscription) == ["told": 0, "waiting": 1])
        scene.refusal.withLock { $0 = RemoteFailure(code: FailureCode.badParameters, message: "bad endpoint") }
        let failure = try await #require(throws: RemoteFailure.self) { try await scene.push(Self.subscription) }
        #expect(failure.message == "bad endpoint")
        scene.refusal.withLock { $0 = nil }
        #expect(try await scene.push(Self.subscription) == ["told": 1, "waiting": 0])
        await scene.inbox.close()
    }

    @Test(
        "a subscription that is not whole is refused by the member's name, and nothing is kept",
        arguments: ["endpoint", "p256dh", "auth", "applicationKey"]
    )
    func malformed(member: String) async throws {
        let scene = try Scene()
        await scene.inbox.reached()
        for value: JSONValue in [.null, 3, .string(String(repeating: "x", count: 4096))] {
            let error = try await #require(throws: ControlError.self) {
                try await scene.push(Self.subscription.adding(member, value))
            }
            #expect("\(error)".contains(member))
        }
        #expect(try await scene.inbox.phone.store.pushToTell(FakeComputer.id) == nil)
        await scene.inbox.close()
    }
}
