import CommandClient
import Commands
import Foundation
import Kernel
import KernelTesting
import Synchronization
import Testing

@Suite("Calls", .timeLimit(.minutes(4)))
struct CallTests {
    /// A client whose messages are answered by a closure.
    private func client(
        time: any TimeSource = .system,
        answering answer: @escaping @Sendable (CommandRequest, RemoteCommandClient) async throws -> Void
    ) -> RemoteCommandClient {
        let box = Mutex<RemoteCommandClient?>(nil)
        let client = RemoteCommandClient(mobileDID: "did:key:z6MkA", time: time) { envelope in
            let request = try CommandRequest(envelope: envelope)
            guard let client = box.withLock({ $0 }) else { return }
            try await answer(request, client)
        }
        box.withLock { $0 = client }
        return client
    }

    @Test("each caller gets its own answer, whatever the order they come in")
    func answers() async throws {
        let held = Mutex<CommandRequest?>(nil)
        let client = client { request, client in
            let earlier: CommandRequest? = held.withLock { held in
                defer { if held == nil { held = request } }
                return held
            }
            guard let earlier else { return }
            for request in [request, earlier] {
                let response = CommandResponse(id: request.id, outcome: .success(request.params))
                _ = await client.receive(response.envelope(form: .object))
            }
        }
        async let one = client.invoke("echo.a", ["n": 1])
        async let two = client.invoke("echo.b", ["n": 2])
        #expect(try await one == ["n": 1])
        #expect(try await two == ["n": 2])
    }

    @Test("silence ends in a timeout, and the late answer harms nobody")
    func timeout() async throws {
        let sent = Mutex<CommandRequest?>(nil)
        let client = client(time: ImmediateClock()) { request, _ in sent.withLock { $0 = request } }
        await #expect(throws: RemoteError.timeout(id: "one", method: "system.ping", after: .seconds(30))) {
            try await client.invoke(CommandRequest(id: "one", method: "system.ping"))
        }
        if let request = sent.withLock({ $0 }) {
            #expect(
                await client.receive(CommandResponse(id: request.id, outcome: .success([:])).envelope(form: .object))
            )
        }
        #expect(await client.receive(["type": "chainlesschain:event"]) == false)
    }

    @Test("closing ends every wait")
    func closed() async throws {
        let client = client { _, client in await client.close() }
        await #expect(throws: RemoteError.notConnected) { try await client.invoke("system.ping") }
    }

    @Test("a link that cannot send is the caller's error")
    func sendFails() async throws {
        let client = RemoteCommandClient(mobileDID: "did:key:z6MkA") { _ in throw RemoteError.notConnected }
        await #expect(throws: RemoteError.notConnected) { try await client.invoke("system.ping") }
    }
}
