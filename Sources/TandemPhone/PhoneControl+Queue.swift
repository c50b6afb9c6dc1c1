import CommandClient
import Commands
import Control
import Foundation
import Kernel
import Pairing

extension PhoneControl {
    func listQueue() async throws -> JSONValue {
        ["commands": .array(try await phone.queue.commands().map(\.summary))]
    }

    func removeFromQueue(_ request: ControlRequest) async throws -> JSONValue {
        try await phone.queue.remove(Self.queueID(request)).summary
    }

    func retryInQueue(_ request: ControlRequest) async throws -> JSONValue {
        try await phone.queue.retry(Self.queueID(request)).summary
    }

    func clearQueue(_ request: ControlRequest) async throws -> JSONValue {
        guard let name = try request.optionalText("device") else {
            return ["removed": .integer(Int64(try await phone.queue.clear()))]
        }
        let desktop = try await phone.desktop(named: name)
        return ["removed": .integer(Int64(try await phone.queue.clear(for: desktop.pcPeerID)))]
    }

    /// Queues a call. It is done once, now or when the computer is there; waits up to the timeout to say which.
    func queueCall(_ request: ControlRequest) async throws -> JSONValue {
        let desktop = try await phone.desktop(named: request.optionalText("device"))
        let limit = try Self.seconds(request)
        let events = phone.queue.events()
        let queued = try await phone.enqueue(
            request.text("method"),
            request.params["params"] ?? .object([:]),
            for: desktop
        )
        var answer: JSONValue = ["queued": true, "command": queued.command.summary]
        if let evicted = queued.evicted { answer = answer.adding("evicted", evicted.summary) }
        guard await phone.path(to: desktop.pcPeerID) != nil else { return answer }
        do {
            return try await withTimeout(limit, on: .system, throwing: RemoteError.notConnected) {
                try await Self.outcome(of: queued.command.id, in: events)
            }
        } catch RemoteError.notConnected {
            return answer
        }
    }

    private static func outcome(of id: UUID, in events: AsyncStream<OfflineQueueEvent>) async throws -> JSONValue {
        for await event in events {
            switch event {
            case .delivered(let command, let result) where command.id == id:
                return ["queued": false, "result": result]
            case .failed(let command) where command.id == id:
                throw ControlError.refused(command.errorMessage ?? "The computer did not do it.")
            default: continue
            }
        }
        throw RemoteError.notConnected
    }

    private static func queueID(_ request: ControlRequest) throws -> UUID {
        guard let id = UUID(uuidString: try request.text("id")) else {
            throw ControlError.badParameter(name: "id", expected: "an id from: tandem queue list")
        }
        return id
    }
}
