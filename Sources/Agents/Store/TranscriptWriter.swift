import Conversations
import Foundation
import Kernel
import SystemPackage

/// Writes one transcript, in the records of Codex's rollouts, so that one reader serves both. Chunks of a message are joined first.
final class TranscriptWriter {
    /// Bytes of one transcript. Behind it only a notice is written.
    static let limit: Int64 = 256 << 20
    private static let textLimit = ItemText.limit
    private static let callLimit = 256

    private enum Part: Equatable {
        case agent(message: String?)
        case thought
    }

    private let file: FileDescriptor
    private var size: Int64
    private var isFull = false
    private var part: Part?
    private var text = ""
    private var lastText: String?
    /// Calls whose records are written, and whether their outputs are.
    private var calls: [String: Bool] = [:]
    /// Calls that wait for a person or for more to be told.
    private var pending: [String: ACPToolCall] = [:]

    /// - Parameter file: Open for reading and appending; closed with the writer.
    init(_ file: FileDescriptor) throws {
        self.file = file
        size = try file.seek(offset: 0, from: .end)
        guard size > 0 else { return }
        // A line that was cut off by a crash must not swallow the next one.
        let last = try withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { buffer in
            try file.read(fromAbsoluteOffset: size - 1, into: buffer) == 1 ? buffer[0] : 0x0A
        }
        if last != 0x0A { size += Int64(try file.writeAll([0x0A])) }
    }

    deinit { try? file.close() }

    func sessionBegan(_ id: String, folder: String, version: String?, at date: Date) {
        var meta: [String: JSONValue] = [
            "id": .string(id), "cwd": .string(folder), "originator": "tandem", "source": "cli",
            "timestamp": .string(Self.text(of: date)),
        ]
        meta["cli_version"] = version.map { .string($0) }
        record("session_meta", .object(meta), date)
    }

    func turnBegan(_ prompt: PreparedPrompt, at date: Date) {
        lastText = nil
        event(["type": "task_started"], date)
        let files = prompt.files.filter { !$0.isImage }
        event(
            [
                "type": "user_message",
                "message": .string(AgentText.beginning(of: prompt.text(naming: files), bytes: 80 << 10)),
                "local_images": .array(prompt.files.filter(\.isImage).map { .string($0.path) }),
            ],
            date
        )
    }

    func agentText(_ chunk: String, message: String?, at date: Date) { add(chunk, to: .agent(message: message), date) }

    func thought(_ chunk: String, at date: Date) { add(chunk, to: .thought, date) }

    func toolCall(_ call: ACPToolCall, at date: Date) {
        flush(date)
        guard call.status != "pending" else {
            if pending.count < Self.callLimit { pending[call.id] = call }
            return
        }
        pending[call.id] = nil
        if calls[call.id] == nil {
            if calls.count >= Self.callLimit { calls = [:] }
            calls[call.id] = false
            if call.differences.isEmpty { write(call, date) }
        }
        guard call.isOver, calls[call.id] == false else { return }
        calls[call.id] = true
        let succeeded = call.status == "completed"
        let differences = call.differences
        guard differences.isEmpty else {
            writeChange(differences, call, succeeded: succeeded, date)
            return
        }
        let output: JSONValue = [
            "content": .string(AgentText.beginning(of: call.output, bytes: Self.textLimit)),
            "success": .bool(succeeded),
        ]
        item(["type": "function_call_output", "call_id": .string(call.id), "output": output], date)
    }

    private func write(_ call: ACPToolCall, _ date: Date) {
        let arguments = call.arguments
        item(
            [
                "type": "function_call", "call_id": .string(call.id), "name": .string(AgentText.line(call.name)),
                "arguments": .string(AgentText.beginning(of: arguments, bytes: Self.textLimit)),
            ],
            date
        )
    }

    private func writeChange(
        _ differences: [ACPToolCall.Difference],
        _ call: ACPToolCall,
        succeeded: Bool,
        _ date: Date
    ) {
        var changes: [String: JSONValue] = [:]
        var room = 4 * Self.textLimit
        for difference in differences {
            let lines = AgentText.beginning(of: difference.lines, bytes: room)
            room -= lines.utf8.count
            changes[AgentText.beginning(of: difference.path, bytes: 4096)] = [
                "type": difference.isNew ? "add" : "update", "unified_diff": .string(lines),
            ]
        }
        event(
            [
                "type": "patch_apply_end", "call_id": .string(call.id), "success": .bool(succeeded),
                "changes": .object(changes),
            ],
            date
        )
    }

    func plan(_ steps: [Plan.Step], at date: Date) {
        flush(date)
        let list = steps.map { step -> JSONValue in
            ["step": .string(step.text), "status": .string(step.state.agentWord)]
        }
        let arguments = JSONValue.object(["plan": .array(list)]).canonicalText
        item(["type": "function_call", "name": "update_plan", "arguments": .string(arguments)], date)
    }

    /// The agent named its session, or took the name back. That may come in the middle of a message, which goes on.
    ///
    /// - Parameter id: The session's.
    func named(_ title: String?, _ id: String, at date: Date) {
        event(
            [
                "type": "thread_name_updated", "thread_id": .string(id),
                "thread_name": title.map(JSONValue.string) ?? .null,
            ],
            date
        )
    }

    /// - Returns: The last message of the agent in this turn.
    func turnEnded(_ outcome: AgentState, reason: String?, at date: Date) -> String? {
        flush(date)
        for call in pending.values.sorted(by: { $0.id < $1.id }) where calls[call.id] == nil { write(call, date) }
        pending = [:]
        calls = [:]
        switch outcome {
        case .failed: event(["type": "error", "message": .string(reason ?? "")], date)
        case .idle: event(["type": "turn_aborted", "reason": "interrupted"], date)
        default: break
        }
        event(["type": "task_complete"], date)
        return lastText
    }

    /// A prompt that waited behind a turn and was not handed over.
    func dropped(_ prompt: PreparedPrompt, at date: Date) {
        flush(date)
        let words = AgentText.beginning(of: prompt.text(naming: prompt.files), bytes: Self.textLimit)
        event(
            ["type": "error", "message": .string("Not sent, because the turn before it was stopped: \(words)")],
            date
        )
    }

    // MARK: Lines

    private func add(_ chunk: String, to next: Part, _ date: Date) {
        if part != next {
            flush(date)
            part = next
        }
        // A text that is too long is cut where it is read; that much is held.
        text += AgentText.beginning(of: chunk, bytes: max(0, Self.textLimit + 1 - text.utf8.count))
    }

    private func flush(_ date: Date) {
        defer {
            part = nil
            text = ""
        }
        guard !text.isEmpty else { return }
        switch part {
        case .agent?:
            lastText = text
            event(["type": "agent_message", "message": .string(text)], date)
        case .thought?: event(["type": "agent_reasoning", "text": .string(text)], date)
        case nil: break
        }
    }

    private func event(_ payload: JSONValue, _ date: Date) { record("event_msg", payload, date) }

    private func item(_ payload: JSONValue, _ date: Date) { record("response_item", payload, date) }

    private func record(_ type: String, _ payload: JSONValue, _ date: Date) {
        guard !isFull else { return }
        var payload = payload
        var type = type
        if size > Self.limit {
            isFull = true
            type = "event_msg"
            payload = [
                "type": "error",
                "message": "This transcript is full. Start a new thread to have what follows written down.",
            ]
        }
        let line: JSONValue = ["timestamp": .string(Self.text(of: date)), "type": .string(type), "payload": payload]
        do {
            size += Int64(try file.writeAll(line.canonicalBytes + [0x0A]))
        } catch {
            // Without room on the disk the conversation goes on; its transcript ends here.
            isFull = true
        }
    }

    private static func text(of date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}
