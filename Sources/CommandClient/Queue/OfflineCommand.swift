package import Commands
public import Control
public import Foundation
import Kernel

/// A command that waits for its computer. Source: `docs/protocol.md`, "Commands that wait".
public struct OfflineCommand: Identifiable, Hashable, Codable, Sendable {
    /// Where the command stands. Raw values are the table's and those of ``summary``.
    public enum Status: String, Hashable, Codable, Sendable {
        /// Waits for its computer, or for its next try.
        case pending
        /// On its way: what became of it is not known until an answer is here.
        case sending
        /// Not tried any more, and kept for the person to see.
        case failed
    }

    /// The largest ``paramsJSON``, in bytes.
    public static let paramsLimit = 262_144

    /// The entry's own, for ``OfflineCommandQueue/retry(_:)`` and ``OfflineCommandQueue/remove(_:)``. It never changes.
    public let id: UUID
    /// The id by which the computer knows the command: a repeat of it is the same request. It is ``id`` at first, and becomes
    /// another one only after the computer said that this request was not done, since it remembers that answer; and where another command
    /// joins this one.
    public var requestID: UUID
    /// The paired computer's ``pcPeerId`` on the wire.
    public let desktopID: String
    /// In full, for example `clipboard.set`.
    public let method: String
    /// An object as JSON text, at most ``paramsLimit``.
    /// Changed by the queue alone, where another command joins this one.
    public internal(set) var paramsJSON: String
    /// This phone's DID when the command was queued. Kept for the person only: the request names the phone anew.
    public let mobileDID: String?
    /// When it was queued. Milliseconds since 1970-01-01T00:00:00Z, by this phone's clock.
    public let timestampMilliseconds: Int64
    /// Changed by the queue alone.
    public var status: Status
    /// Tries that the computer answered with a failure.
    public var retries: Int
    /// Why it was not done so far; for the person.
    public var errorMessage: String?
    /// The time from which it is not sent any more.
    public var expiresAtMilliseconds: Int64

    /// The columns of its table.
    enum CodingKeys: String, CodingKey {
        case id
        case requestID = "requestId"
        case desktopID = "desktopId"
        case method
        case paramsJSON = "paramsJson"
        case mobileDID = "mobileDid"
        case timestampMilliseconds = "timestamp"
        case status
        case retries
        case errorMessage
        case expiresAtMilliseconds = "expiresAt"
    }

    public init(
        id: UUID,
        requestID: UUID? = nil,
        desktopID: String,
        method: String,
        paramsJSON: String,
        mobileDID: String? = nil,
        timestampMilliseconds: Int64,
        status: Status = .pending,
        retries: Int = 0,
        errorMessage: String? = nil,
        expiresAtMilliseconds: Int64
    ) {
        self.id = id
        self.requestID = requestID ?? id
        self.desktopID = desktopID
        self.method = method
        self.paramsJSON = paramsJSON
        self.mobileDID = mobileDID
        self.timestampMilliseconds = timestampMilliseconds
        self.status = status
        self.retries = retries
        self.errorMessage = errorMessage
        self.expiresAtMilliseconds = expiresAtMilliseconds
    }
}

extension OfflineCommand {
    /// The id as the wire and people write it.
    public static func text(of id: UUID) -> String { id.uuidString.lowercased() }

    /// - Throws: ``RemoteError/invalidArgument(_:)`` when the parameters are damaged.
    package func request() throws(RemoteError) -> CommandRequest {
        guard let params = try? JSONValue(parsing: paramsJSON.utf8), params.objectValue != nil else {
            throw .invalidArgument("the parameters that were kept for \(method) are damaged")
        }
        return CommandRequest(id: Self.text(of: requestID), method: method, params: params, isDurable: true)
    }

    /// The entry for a list that is not ours to draw.
    public var summary: Summary { Summary(self) }

    /// A command with its parameters' beginning: enough to tell one from another, and no more, since they may be a clipboard's text. The
    /// members' names are those that `--json` prints.
    public struct Summary: Codable, Hashable, Sendable {
        /// The command's id as ``OfflineCommand/text(of:)`` writes it.
        public var id: String
        /// The paired computer's id.
        public var desktopId: String
        /// In full, for example `clipboard.set`.
        public var method: String
        /// Milliseconds since 1970, as ``expiresAt``.
        public var timestamp: Int64
        /// Where the command stands.
        public var status: Status
        /// Tries that the computer answered with a failure.
        public var retries: Int
        /// Why it was not done so far; for the person.
        @OrNull public var errorMessage: String?
        /// When it is given up: milliseconds since 1970-01-01T00:00:00Z.
        public var expiresAt: Int64
        /// The beginning of the parameters, as JSON.
        public var parameters: String

        init(_ command: OfflineCommand) {
            id = OfflineCommand.text(of: command.id)
            desktopId = command.desktopID
            method = command.method
            timestamp = command.timestampMilliseconds
            status = command.status
            retries = command.retries
            errorMessage = command.errorMessage
            expiresAt = command.expiresAtMilliseconds
            let beginning = command.paramsJSON.prefix(120)
            parameters = beginning.count < command.paramsJSON.count ? beginning + "…" : command.paramsJSON
        }
    }
}
