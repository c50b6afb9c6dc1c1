package import Capabilities
package import CommandServer
package import Commands
import Files
package import Kernel
package import Logging
import Rights
import Synchronization
import Transfers

/// The computer's files for a phone: look, change, send and receive. Source: `docs/protocol.md`, "Files".
package final class FileSkill: CommandFeature {
    package static let manifest = FeatureManifest(
        "files",
        rights: [.fileRead, .fileWrite],
        migrations: SQLiteUploadJournal.migrations
    )

    /// Frames of one phone that may be worked on at a time, by the bytes they carry or want.
    private static let frameBytes = 4 * TransferFrame.window
    /// The least that a frame counts, in bytes: its task and its answer take memory however few bytes it is about.
    private static let leastFrameCost = 4096
    /// How many frames of one phone can be worked on at a time, by the two above.
    private static let framesAtATime = frameBytes / leastFrameCost

    /// The time between two sweeps for parts that were kept long enough.
    static let tidyPace: Duration = .seconds(3600)

    let access: any FileAccess
    let uploads: ActiveUploads
    let downloads: ActiveDownloads
    let batches = ActiveBatches()
    let journal: any UploadJournal
    /// The threads for files on their way: as many for one device as a folder sends files at a time. Frames that wait were counted by
    /// ``frameBytes`` before, so the limits here are above what one phone's frames can reach.
    let parts = BlockingWork(
        "tandem.parts",
        width: 12,
        deviceWidth: 8,
        deviceWaitingLimit: 2 * framesAtATime,
        waitingLimit: 16 * framesAtATime,
        urgency: .bulk
    )
    /// For short calls: most of their time they wait for a disk.
    let work = BlockingWork("tandem.files", width: 8, deviceWidth: 4, deviceWaitingLimit: 256, urgency: .bulk)
    /// For whole trees of folders.
    let walks = BlockingWork(
        "tandem.walks",
        width: FolderSearch.width,
        deviceWidth: FolderSearch.deviceWidth,
        deviceWaitingLimit: FolderSearch.deviceWaitingLimit,
        urgency: .bulk
    )
    let outlet: (any DeviceOutlet)?
    let time: any TimeSource
    private let logger: Logger
    private let tasks = OwnedTasks()
    private let busy = Mutex<[String: Int]>([:])

    /// - Parameters:
    ///   - outlet: Where binary messages go; nil when the peers only understand JSON.
    /// - Throws: When the journal cannot be read.
    package convenience init(
        access: any FileAccess,
        journal: any UploadJournal,
        outlet: (any DeviceOutlet)? = nil,
        time: any TimeSource = .system,
        logger: Logger = Logger(label: "tandem.files")
    ) throws {
        let tuning = TransferTuning()
        try self.init(
            access: access,
            journal: journal,
            outlet: outlet,
            time: time,
            logger: logger,
            tuning: tuning
        )
    }

    init(
        access: any FileAccess,
        journal: any UploadJournal,
        outlet: (any DeviceOutlet)?,
        time: any TimeSource,
        logger: Logger,
        tuning: TransferTuning
    ) throws {
        self.access = access
        self.outlet = outlet
        self.time = time
        self.logger = logger
        self.journal = journal
        uploads = try ActiveUploads(
            access: access,
            journal: journal,
            time: time,
            logger: logger,
            batchSize: tuning.batchSize,
            work: parts
        )
        downloads = ActiveDownloads(access: access, time: time, work: parts)
    }

    /// Removes parts that nothing came for any more, also where no phone ever begins another upload.
    package func run() async {
        repeat { await uploads.expire() } while await time.pause(for: Self.tidyPace)
    }

    /// Ends what runs and keeps what arrived.
    package func close() async {
        await tasks.end()
        await uploads.synchronize()
    }

    /// Takes a binary message for which ``TransferFrame/isFrame(_:)`` is true. Returns at once: the work is done beside the session's other
    /// messages, and answered by frames.
    package func receive(frame bytes: [UInt8], from caller: Caller) {
        // Frames are messages of a session. Outside of a session the sender is unproved, so it gets no answer.
        guard caller.proof == .session, let outlet, let frame = TransferFrame(bytes) else { return }
        let count: Int
        let right: Right
        switch frame.content {
        case .data(let data): (count, right) = (data.count, .fileWrite)
        case .want(let wanted): (count, right) = (wanted, .fileRead)
        // Only a desktop says these.
        case .taken, .refused: return
        }
        let cost = max(count, Self.leastFrameCost)
        let refusal: RemoteFailure? = busy.withLock { busy in
            guard caller.may(right) else {
                return GateRefusal.notAllowed(name: caller.name, id: caller.id, permission: right.rawValue).failure
            }
            guard busy[caller.id, default: 0] + cost <= Self.frameBytes else {
                return Self.failure(TransferError.busy)
            }
            busy[caller.id, default: 0] += cost
            return nil
        }
        // A refused frame costs as little as can be: a flood of them must not become a queue of answers.
        if let refusal {
            guard refusalMayGo(to: caller.id) else { return }
            return tasks.add { [weak self] in
                await self?.send(Self.refusal(refusal, frame), through: outlet, to: caller.id)
                self?.busy.withLock { $0[Self.refusals(caller.id)] = nil }
            }
        }
        tasks.add { [weak self] in
            await WorkOwner.$device.withValue(caller.id) {
                await self?.handle(frame, from: caller, through: outlet)
            }
            self?.free(cost, of: caller.id)
        }
    }

    private func handle(_ frame: TransferFrame, from caller: Caller, through outlet: any DeviceOutlet) async {
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
            answer = Self.refusal(Self.failure(error), frame)
        }
        await send(answer, through: outlet, to: caller.id)
    }

    private func send(_ frame: TransferFrame, through outlet: any DeviceOutlet, to device: String) async {
        do {
            try await outlet.send(frame: frame.bytes, needing: frame.rightToReceive, to: device)
        } catch {
            // The phone is gone; it asks again for what it has no answer to.
            logger.debug("a frame did not reach its phone", metadata: ["device": "\(device)"])
        }
    }

    static func failure(_ error: any Error) -> RemoteFailure {
        let code = (error as? any RemoteRefusal)?.code ?? FailureCode.internalError
        return RemoteFailure(code: code, message: "\(error)")
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

    package var keeper: (any ActivityKeeper)? { self }

    package var frames: [FrameRoute] {
        guard outlet != nil else { return [] }
        return [
            FrameRoute(firstByte: TransferFrame.firstByte) { [weak self] in self?.receive(frame: $0, from: $1) }
        ]
    }

    package var methods: [RemoteMethod] { (reading + writing + both).flatMap(\.self) }

    private var reading: [[RemoteMethod]] {
        [
            FileMethods.list.served { params, _ in try await self.list(params) },
            FileMethods.read.served { params, _ in try await self.read(params) },
            FileMethods.search.served { params, _ in try await self.search(params) },
            FileMethods.requestDownload.served { try await self.requestDownload($0, $1) },
            FileMethods.downloadChunk.served { try await self.downloadChunk($0, $1) },
            FileMethods.completeDownload.served { try await self.completeDownload($0, $1) },
            FileMethods.downloadFiles.served { try await self.downloadFiles($0, $1) },
        ]
    }

    private var writing: [[RemoteMethod]] {
        [
            FileMethods.createFolder.served { params, _ in try await self.createFolder(params) },
            FileMethods.rename.served { params, _ in try await self.move(params) },
            FileMethods.move.served { params, _ in try await self.move(params) },
            FileMethods.delete.served { params, _ in try await self.delete(params) },
            FileMethods.requestUpload.served { try await self.requestUpload($0, $1) },
            FileMethods.uploadChunk.served { try await self.uploadChunk($0, $1) },
            FileMethods.completeUpload.served { try await self.completeUpload($0, $1) },
            FileMethods.uploadFiles.served { try await self.uploadFiles($0, $1) },
        ]
    }

    private var both: [[RemoteMethod]] {
        [
            FileMethods.info.served { params, _ in try await self.information(params) },
            FileMethods.exists.served { params, _ in try await self.exists(params) },
            FileMethods.cancelTransfer.served { try await self.cancelTransfer($0, $1) },
            FileMethods.listTransfers.served { _, caller in await self.listTransfers(caller) },
        ]
    }
}

extension CommandFeatureMaker {
    /// - Parameter access: To the shared folders.
    package static func files(_ access: any FileAccess) -> CommandFeatureMaker {
        CommandFeatureMaker(FileSkill.manifest) { context in
            try FileSkill(
                access: access,
                journal: SQLiteUploadJournal(context.database, logger: context.logger),
                outlet: context.outlet,
                time: context.time,
                logger: context.logger
            )
        }
    }
}
