import Control
import Kernel
import Pairing
import Terminal
import Transport

extension PhoneControl {
    /// Shows a terminal of a computer: items are what it writes, the input is what is typed into it. With `endsWithCaller`
    /// the shell is ended when the command goes before the shell does.
    func openTerminal(
        _ request: ControlRequest,
        input: ControlInput,
        report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        let desktop = try await phone.desktop(named: request.optionalText("device"))
        let phone = phone
        let invoke: TerminalInvoke = { try await phone.call($0, $1, on: desktop) }
        let size = try Self.size(.array([request.params["cols"] ?? .null, request.params["rows"] ?? .null]))
        let running = try request.optionalText("sessionId")
        let id: String
        if let running {
            // What goes on waits for the computer; who begins is told when it is away.
            _ = try await invoke("terminal.list", ["sessionId": .string(running), "subscribe": false])
            id = running
        } else {
            let wanted = TerminalRequest(
                shell: try request.optionalText("shell"),
                environment: [:],
                folder: try request.optionalText("cwd"),
                size: size
            )
            id = try await TerminalClient.create(wanted, invoke: invoke)
        }
        let client = TerminalClient(
            sessionID: id,
            isNew: running == nil,
            isNumbered: desktop.isEndToEnd,
            invoke: invoke
        ) {
            try await phone.events(of: desktop)
        }
        if running != nil { client.resize(to: size) }
        let endsWithCaller = try request.flag("endsWithCaller")
        let states = try await phone.paths(to: desktop)
        do {
            return try await converse(client, input, states, report)
        } catch {
            // Not in this task, which is cancelled when the command has gone.
            if endsWithCaller { errands.add { try? await client.close() } }
            throw error
        }
    }

    private func converse(
        _ client: TerminalClient,
        _ input: ControlInput,
        _ states: AsyncStream<PeerConnectionState>,
        _ report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        try await withThrowingTaskGroup(of: JSONValue?.self) { group in
            group.addTask { try await Self.show(client, report) }
            group.addTask { try await Self.type(input, into: client) }
            group.addTask {
                await Self.followLinks(of: client, states)
                return nil
            }
            defer { group.cancelAll() }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
            }
            return .null
        }
    }

    /// - Returns: How the shell ended.
    private static func show(
        _ client: TerminalClient,
        _ report: @escaping @Sendable (JSONValue) async throws -> Void
    ) async throws -> JSONValue {
        let end = LatestValue<JSONValue>(.null)
        try await client.run { output in
            switch output {
            case .text(let text): try await report(["text": .string(text)])
            case .truncated: try await report(["notice": "Some of the output is gone: nobody could take it."])
            case .exited(let code, let signal):
                end.set([
                    "sessionId": .string(client.sessionID), "exitCode": .integer(Int64(code)),
                    "signal": signal.map { .integer(Int64($0)) } ?? .null,
                ])
            }
        }
        return end.value
    }

    /// - Returns: Nil when the input is over and the terminal goes on being shown.
    private static func type(_ input: ControlInput, into client: TerminalClient) async throws -> JSONValue? {
        for await item in input {
            if let text = item["text"]?.stringValue {
                try await type(Array(text.utf8), into: client)
            } else if let size = item["resize"] {
                client.resize(to: try Self.size(size))
            } else if item["detach"]?.boolValue == true {
                try await client.detach()
                return ["sessionId": .string(client.sessionID), "detached": true]
            }
        }
        return nil
    }

    /// While the computer takes nothing, what is typed waits, and with it whoever types.
    private static func type(_ bytes: [UInt8], into client: TerminalClient) async throws {
        while true {
            do {
                return try await client.type(bytes)
            } catch TerminalError.inputFull {
                try await Task.sleep(for: .milliseconds(20))
            }
        }
    }

    /// A link that is back brings what was missed at once.
    private static func followLinks(
        of client: TerminalClient,
        _ states: AsyncStream<PeerConnectionState>
    ) async {
        for await state in states {
            if case .connected = state { client.reattach() }
        }
    }

    private static func size(_ value: JSONValue) throws -> TerminalSize {
        let numbers = (value.arrayValue ?? []).compactMap(\.integerValue)
        guard numbers.count == 2 else {
            throw ControlError.badParameter(name: "cols and rows", expected: "1 to 1000")
        }
        return try TerminalSize(columns: numbers[0], rows: numbers[1])
    }
}
