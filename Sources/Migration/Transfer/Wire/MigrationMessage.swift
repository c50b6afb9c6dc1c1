import Kernel

/// A message of the migration protocol. Source: `docs/protocol.md` 2.14.
public enum MigrationMessage: Hashable, Sendable {
    case handshake(Handshake)
    case authPIN(AuthPIN)
    case startBackup(StartBackup)
    case backupMeta(BackupMeta)
    case startTransfer(StartTransfer)
    case pause(TransferControl)
    case resume(TransferControl)
    case cancel(TransferControl)
    case chunk(ChunkHeader, [UInt8])
    case chunkAck(ChunkAck)
    case complete(TransferCompletion)
    /// Sent every two seconds without other traffic; a side that hears nothing for eight takes the link for dead.
    case ping
    /// A type of a later version, which is passed over.
    case unknown(type: String)

    /// - Throws: ``MigrationTransferError/malformedMessage(what:)``.
    public init(_ frame: MigrationFrame) throws(MigrationTransferError) {
        guard let type = frame.json["type"]?.stringValue else { throw .malformedMessage(what: "type") }
        let payload = frame.json["payload"] ?? [:]
        guard frame.raw.isEmpty || type == "BackupChunk" else { throw .malformedMessage(what: "raw bytes") }
        switch type {
        case "Handshake": self = .handshake(try Self.read(payload, type))
        case "AuthPIN": self = .authPIN(try Self.read(payload, type))
        case "StartBackup": self = .startBackup(try Self.read(payload, type))
        case "BackupMeta": self = .backupMeta(try Self.read(payload, type))
        case "StartTransfer": self = .startTransfer(try Self.read(payload, type))
        case "PauseTransfer": self = .pause(try Self.read(payload, type))
        case "ResumeTransfer": self = .resume(try Self.read(payload, type))
        case "CancelTransfer": self = .cancel(try Self.read(payload, type))
        case "BackupChunk": self = .chunk(try Self.read(payload, type), frame.raw)
        case "ChunkAck": self = .chunkAck(try Self.read(payload, type))
        case "Complete": self = .complete(try Self.read(payload, type))
        case "Ping": self = .ping
        default: self = .unknown(type: String(type.prefix(64)))
        }
    }

    /// The documented name.
    public var type: String {
        switch self {
        case .handshake: "Handshake"
        case .authPIN: "AuthPIN"
        case .startBackup: "StartBackup"
        case .backupMeta: "BackupMeta"
        case .startTransfer: "StartTransfer"
        case .pause: "PauseTransfer"
        case .resume: "ResumeTransfer"
        case .cancel: "CancelTransfer"
        case .chunk: "BackupChunk"
        case .chunkAck: "ChunkAck"
        case .complete: "Complete"
        case .ping: "Ping"
        case .unknown(let type): type
        }
    }

    /// - Throws: `EncodingError`, which a value of these types does not cause.
    public func frame() throws -> MigrationFrame {
        var raw: [UInt8] = []
        let payload: JSONValue =
            switch self {
            case .handshake(let value): try JSONValue(encoding: value)
            case .authPIN(let value): try JSONValue(encoding: value)
            case .startBackup(let value): try JSONValue(encoding: value)
            case .backupMeta(let value): try JSONValue(encoding: value)
            case .startTransfer(let value): try JSONValue(encoding: value)
            case .pause(let value), .resume(let value), .cancel(let value): try JSONValue(encoding: value)
            case .chunk(let value, _): try JSONValue(encoding: value)
            case .chunkAck(let value): try JSONValue(encoding: value)
            case .complete(let value): try JSONValue(encoding: value)
            case .ping, .unknown: [:]
            }
        if case .chunk(_, let bytes) = self { raw = bytes }
        return MigrationFrame(json: ["type": .string(type), "payload": payload], raw: raw)
    }

    private static func read<Payload: Decodable>(
        _ payload: JSONValue,
        _ type: String
    ) throws(MigrationTransferError) -> Payload {
        do {
            return try payload.decode(as: Payload.self)
        } catch {
            throw .malformedMessage(what: type)
        }
    }
}
