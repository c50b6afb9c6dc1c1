import Kernel
import Synchronization

@testable import Chat

/// A network that does what a test says, and notes what it is asked.
final class ScriptedPipeline: OutgoingPipeline {
    /// What becomes of one attempt.
    enum Outcome: Sendable {
        case kept
        case fails(any Error)
        /// Nothing answers until the attempt is given up.
        case hangs
        case answers(forID: String)
        /// Waits until ``ScriptedPipeline/open(_:)`` names the id or the file.
        case waits
    }

    /// Requests in the order in which they came.
    let sends = LatestValue<[SendMessage]>([], capacity: 64)
    /// Names of the files in the order in which they came.
    let uploads = LatestValue<[String]>([], capacity: 64)
    private let opened = LatestValue<Set<String>>([])
    private let script = Mutex<[String: [Outcome]]>([:])

    /// The next attempts of a message or of a file; behind them everything is kept.
    func plan(_ name: String, _ outcomes: Outcome...) { script.withLock { $0[name] = outcomes } }

    func open(_ name: String) { opened.update { $0.insert(name) } }

    private func outcome(_ name: String) -> Outcome {
        script.withLock { script in
            guard let next = script[name]?.first else { return .kept }
            script[name]?.removeFirst()
            return next
        }
    }

    private func pass(_ name: String) async throws -> String? {
        switch outcome(name) {
        case .kept: return nil
        case .fails(let error): throw error
        case .answers(let id): return id
        case .hangs:
            for await _ in AsyncStream<Never>.makeStream().stream {}
            throw CancellationError()
        case .waits:
            _ = try await first(opened) { $0.contains(name) }
            return nil
        }
    }

    func upload(
        _ file: OutgoingMedia.File,
        of kind: OutgoingMedia.Kind,
        progress: @escaping @Sendable (Double) -> Void
    ) async throws -> OutgoingMedia.File {
        uploads.update { $0.append(file.source) }
        progress(0.5)
        _ = try await pass(file.source)
        var file = file
        file.objectKey = "chat/\(kind.upload.rawValue)/\(file.source)"
        file.width = 40
        file.height = 30
        return file
    }

    func send(_ request: SendMessage) async throws -> SendMessageAnswer {
        sends.update { $0.append(request) }
        let id = try await pass(request.clientMessageID) ?? request.clientMessageID
        return SendMessageAnswer(
            serverMessageID: "s",
            clientMessageID: id,
            sendTime: 5,
            sequence: Int64(sends.value.count)
        )
    }
}

/// A journal in memory.
final class RecordedJournal: SendJournal {
    let events = LatestValue<[SendEvent]>([], capacity: 64)
    let progress = LatestValue<[Double]>([], capacity: 64)
    /// Steps that cannot be kept.
    private let refuses: @Sendable (SendEvent) -> Bool

    init(refusing refuses: @escaping @Sendable (SendEvent) -> Bool = { _ in false }) { self.refuses = refuses }

    func note(_ event: SendEvent) async throws {
        events.update { $0.append(event) }
        if refuses(event) { throw ChatError.queueFull(limit: 0) }
    }

    func progressed(_ id: String, _ part: Double) { progress.update { $0.append(part) } }

    /// The messages that ended, in order: their ids, failed ones with "!".
    func ended(_ count: Int) async throws -> [String] {
        try await Self.ended(first(events) { Self.ended($0).count >= count })
    }

    static func ended(_ events: [SendEvent]) -> [String] {
        events.compactMap { event in
            switch event {
            case .sent(let answer): answer.clientMessageID
            case .failed(let id, _, _): id + "!"
            case .sending, .uploaded, .retrying: nil
            }
        }
    }
}
