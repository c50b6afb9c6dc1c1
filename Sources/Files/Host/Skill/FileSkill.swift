package import CommandServer
package import Commands
package import Foundation
import Kernel
package import Logging
import Rights
import Synchronization
import Transfers

/// The computer's files for a phone: look, change, send and receive. Source: `docs/protocol.md`, "Files".
package final class FileSkill: RemoteSkill {
    static let namespace = "file"
    /// The group of both rights: each opens what needs this.
    private static let permission = "file"
    /// Frames of one phone that may be worked on at a time, by the bytes they carry or want.
    private static let frameBytes = 4 * TransferFrame.window

    let access: any FileAccess
    let uploads: UploadDesk
    let downloads: DownloadDesk
    let work = FileWork("tandem.files")
    let frames: (any RemoteFrameSink)?
    private let logger: Logger
    private let tasks = TaskBag()
    private let busy = Mutex<[String: Int]>([:])

    /// - Parameters:
    ///   - frames: Where binary messages go; nil when the peers only understand JSON.
    ///   - now: For what is written down.
    ///   - clock: For what is kept in memory.
    /// - Throws: When the journal cannot be read.
    package convenience init(
        access: any FileAccess,
        journal: any UploadJournal,
        frames: (any RemoteFrameSink)? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        clock: @escaping @Sendable () -> ContinuousClock.Instant = { ContinuousClock().now },
        logger: Logger = Logger(label: "tandem.files")
    ) throws {
        let tuning = TransferTuning()
        try self.init(
            access: access,
            journal: journal,
            frames: frames,
            now: now,
            clock: clock,
            logger: logger,
            tuning: tuning
        )
    }

    init(
        access: any FileAccess,
        journal: any UploadJournal,
        frames: (any RemoteFrameSink)?,
        now: @escaping @Sendable () -> Date,
        clock: @escaping @Sendable () -> ContinuousClock.Instant,
        logger: Logger,
        tuning: TransferTuning
    ) throws {
        self.access = access
        self.frames = frames
        self.logger = logger
        uploads = try UploadDesk(
            access: access,
            journal: journal,
            now: now,
            logger: logger,
            batchSize: tuning.batchSize
        )
        downloads = DownloadDesk(access: access, now: clock)
    }

    /// Ends what runs and keeps what arrived.
    package func close() async {
        await tasks.end()
        await uploads.synchronize()
    }

    /// Takes a binary message for which ``TransferFrame/isFrame(_:)`` is true. Returns at once: the work is done beside the session's other
    /// messages, and answered by frames.
    package func receive(frame bytes: [UInt8], from caller: Caller) {
        // Frames are messages of a session. Outside of one nobody is known to have sent it, so nobody is answered either.
        guard caller.proof == .session, let frames, let frame = TransferFrame(bytes) else { return }
        let cost: Int
        let right: Right
        switch frame.content {
        case .data(let data): (cost, right) = (data.count, .fileWrite)
        case .want(let count): (cost, right) = (count, .fileRead)
        // Only a desktop says these.
        case .taken, .refused: return
        }
        let refusal: RemoteFailure? = busy.withLock { busy in
            guard caller.may(right) else {
                return GateRefusal.notAllowed(name: caller.name, id: caller.id, permission: right.rawValue).failure
            }
            guard busy[caller.id, default: 0] + cost <= Self.frameBytes else {
                return RemoteFailure(TransferError.busy)
            }
            busy[caller.id, default: 0] += cost
            return nil
        }
        // A refused frame costs as little as can be: a flood of them must not become a queue of answers.
        if let refusal {
            guard refusalMayGo(to: caller.id) else { return }
            return tasks.add { [weak self] in
                await self?.send(Self.refusal(refusal, frame), through: frames, to: caller.id)
                self?.busy.withLock { $0[Self.refusals(caller.id)] = nil }
            }
        }
        tasks.add { [weak self] in
            await self?.handle(frame, from: caller, through: frames)
            self?.free(cost, of: caller.id)
        }
    }

    private func handle(_ frame: TransferFrame, from caller: Caller, through frames: any RemoteFrameSink) async {
        var answer = frame
        do {
            switch frame.content {
            case .data(let data):
                _ = try await uploads.upload(frame.transfer, of: caller.id).write(data, at: frame.offset)
                answer.content = .taken(count: data.count)
            case .want(let count):
                let download = try await downloads.download(frame.transfer, of: caller.id)
                answer.content = .data(try await download.read(at: frame.offset, count: count)[...])
            case .taken, .refused: return
            }
        } catch {
            let failure =
                RemoteFailure.telling(error) as? RemoteFailure
                ?? RemoteFailure(code: FailureCode.internalError, message: "\(error)")
            answer = Self.refusal(failure, frame)
        }
        await send(answer, through: frames, to: caller.id)
    }

    private func send(_ frame: TransferFrame, through frames: any RemoteFrameSink, to device: String) async {
        do { try await frames.send(frame, to: device) } catch {
            // The phone is gone; it asks again for what it has no answer to.
            logger.debug("a frame did not reach its phone", metadata: ["device": "\(device)"])
        }
    }

    private static func refusal(_ failure: RemoteFailure, _ frame: TransferFrame) -> TransferFrame {
        var answer = frame
        answer.content = .refused(code: failure.code, reason: failure.message)
        return answer
    }

    private static func refusals(_ device: String) -> String { "refusal " + device }

    private func refusalMayGo(to device: String) -> Bool {
        busy.withLock { busy in
            guard busy[Self.refusals(device)] == nil else { return false }
            busy[Self.refusals(device)] = 1
            return true
        }
    }

    private func free(_ cost: Int, of device: String) {
        busy.withLock { busy in
            let rest = (busy[device] ?? 0) - cost
            busy[device] = rest > 0 ? rest : nil
        }
    }

    package var methods: [RemoteMethod] { reading + writing + both }

    private var reading: [RemoteMethod] {
        table(
            Right.fileRead.rawValue,
            [
                (["listDirectory", "list"], { params, _ in try await self.list(params) }),
                (["readFile", "read"], { params, _ in try await self.read(params) }),
                (["search"], { params, _ in try await self.search(params) }),
                (["requestDownload"], { params, caller in try await self.requestDownload(params, caller) }),
                (["downloadChunk"], { params, caller in try await self.downloadChunk(params, caller) }),
                (["completeDownload"], { params, caller in try await self.completeDownload(params, caller) }),
            ]
        )
    }

    private var writing: [RemoteMethod] {
        table(
            Right.fileWrite.rawValue,
            [
                (["createDirectory"], { params, _ in try await self.createFolder(params) }),
                (["rename", "move"], { params, _ in try await self.move(params) }),
                (["delete"], { params, _ in try await self.delete(params) }),
                (["requestUpload"], { params, caller in try await self.requestUpload(params, caller) }),
                (["uploadChunk"], { params, caller in try await self.uploadChunk(params, caller) }),
                (["completeUpload"], { params, caller in try await self.completeUpload(params, caller) }),
            ]
        )
    }

    /// What a phone with either right needs: whether a name is there, and its own transfers.
    private var both: [RemoteMethod] {
        table(
            Self.permission,
            [
                (["getFileInfo", "getInfo"], { params, _ in try await self.information(params) }),
                (["exists"], { params, _ in try await self.exists(params) }),
                (["cancelTransfer"], { params, caller in try await self.cancelTransfer(params, caller) }),
                (["listTransfers"], { _, caller in try await self.listTransfers(caller) }),
            ]
        )
    }

    private typealias Run = @Sendable (RemoteParameters, Caller) async throws -> JSONValue

    private func table(_ permission: String, _ entries: [(names: [String], run: Run)]) -> [RemoteMethod] {
        entries.flatMap { entry in
            entry.names.map { name in
                RemoteMethod("\(Self.namespace).\(name)", permission: permission, risk: .privileged) { params, caller in
                    do {
                        return try await entry.run(params, caller)
                    } catch {
                        throw RemoteFailure.telling(error)
                    }
                }
            }
        }
    }
}
