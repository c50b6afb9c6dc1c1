import CommandClient
import Commands
import Foundation
import Kernel
import KernelTesting
import Testing

@Suite("Commands that wait: the screen", .timeLimit(.minutes(5)))
@MainActor
struct OfflineQueueViewModelTests {
    private func command(_ status: OfflineCommand.Status, _ message: String? = nil) -> OfflineCommand {
        OfflineCommand(
            id: UUID(),
            desktopID: "pc-1",
            method: "clipboard.set",
            paramsJSON: "{}",
            timestampMilliseconds: 1,
            status: status,
            errorMessage: message,
            expiresAtMilliseconds: 2
        )
    }

    private func model(
        commands: [OfflineCommand] = [],
        events: [OfflineQueueEvent] = []
    ) -> OfflineQueueViewModel {
        OfflineQueueViewModel(
            OfflineQueueViewModel.Dependencies(
                commands: {
                    AsyncStream { stream in
                        stream.yield(commands)
                        stream.finish()
                    }
                },
                events: {
                    AsyncStream { stream in
                        for event in events { stream.yield(event) }
                        stream.finish()
                    }
                },
                retry: { throw OfflineQueueError.unknownCommand($0) },
                remove: { _ in },
                clear: { _ in }
            )
        )
    }

    @Test("the list is nil until it was read, and counted by what it means to the person")
    func list() async {
        let model = model(commands: [command(.sending), command(.pending), command(.failed)])
        #expect(model.commands == nil)
        await model.follow()
        #expect(model.commands?.map(\.status) == [.sending, .pending, .failed])
        #expect(model.waitingCount == 2)
        #expect(model.failedCount == 1)
    }

    @Test("what fails or has to go is told to the person; what arrives is not")
    func notices() async {
        let done = model(events: [.queued(command(.pending)), .delivered(command(.sending), result: [:])])
        await done.followEvents()
        #expect(done.notice == nil)
        let failed = model(events: [.failed(command(.failed, "It is refused."))])
        await failed.followEvents()
        #expect(failed.notice == "clipboard.set was not done: It is refused.")
        failed.dismissNotice()
        #expect(failed.notice == nil)
        let evicted = model(events: [.evicted(command(.pending))])
        await evicted.followEvents()
        #expect(
            evicted.notice
                == "100 commands wait already, so the oldest will not be sent: clipboard.set. "
                + "Send it again once the computer is connected."
        )
    }

    @Test("a request that fails is explained until the next one or until it is dismissed")
    func failures() async {
        let model = model()
        let command = command(.failed)
        await model.retry(command)
        #expect(model.failureMessage == "\(OfflineQueueError.unknownCommand(command.id))")
        await model.remove(command)
        #expect(model.failureMessage == nil)
        await model.retry(command)
        model.dismissFailure()
        #expect(model.failureMessage == nil)
    }

    @Test("the screen of a real queue removes, retries and clears")
    func real() async throws {
        let queue = try QueueScene().queue()
        let model = OfflineQueueViewModel(.init(queue))
        let first = try await queue.enqueue(text: "a").command
        try await queue.enqueue(text: "b")
        let desktop = ScriptedDesktop([.failure(RemoteFailure(code: -32601, message: "no"))])
        _ = try await queue.drain(for: QueueScene.desktop, using: { try desktop.invoke($0) })
        await model.retry(first)
        #expect(try await queue.commands().map(\.status) == [.pending])
        await model.remove(first)
        #expect(try await queue.commands() == [])
        try await queue.enqueue(text: "c")
        await model.clear()
        #expect(try await queue.commands() == [])
        #expect(model.failureMessage == nil)
    }
}
