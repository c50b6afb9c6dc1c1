package import Capabilities
package import CommandServer
import Commands
import Files
package import Kernel
package import Logging
package import Pictures
import Rights
import Storage
package import Transfers

/// The computer's files for a phone: look, change, send and receive. Source: `docs/protocol.md`, "Files".
package final class FileSkill: CommandFeature {
    package static let manifest = FeatureManifest(
        "files",
        rights: [.fileRead, .fileWrite],
        settings: [DirectDoor.setting, DirectDoor.portSetting],
        migrations: SQLiteUploadJournal.migrations
    )

    /// How many frames of one phone can be worked on at a time.
    private static let framesAtATime = FrameDoor.bytesAtATime / FrameDoor.leastCost

    /// The time between two sweeps for parts that were kept long enough.
    static let tidyPace: Duration = .seconds(3600)

    let access: any FileAccess
    let uploads: ActiveUploads
    let downloads: ActiveDownloads
    let batches: ActiveBatches
    let journal: any UploadJournal
    /// The threads for files on their way: as many for one device as a folder sends files at a time. Frames that wait were counted by
    /// ``FrameDoor`` before, so the limits here are above what one phone's frames can reach.
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
    /// Nil where pictures are not made small.
    let thumbnails: ThumbnailMaker?
    let outlet: (any DeviceOutlet)?
    let direct: DirectDoor
    let time: any TimeSource

    /// - Parameters:
    ///   - outlet: Where binary messages go; nil when the peers only understand JSON.
    ///   - thumbnails: Makes pictures small; nil where none are.
    ///   - settings: The owner's, by their names.
    /// - Throws: When the journal cannot be read.
    package init(
        access: any FileAccess,
        journal: any UploadJournal,
        outlet: (any DeviceOutlet)? = nil,
        thumbnails: ThumbnailMaker? = nil,
        settings: [String: JSONValue] = [:],
        time: any TimeSource = .system,
        logger: Logger = Logger(label: "tandem.files"),
        tuning: TransferTuning = TransferTuning()
    ) throws {
        self.access = access
        self.thumbnails = thumbnails
        self.outlet = outlet
        self.time = time
        self.journal = journal
        let context = Upload.Context(
            UploadPlace(access: access, journal: journal),
            batchSize: tuning.batchSize,
            work: parts
        )
        uploads = try ActiveUploads(context, time: time, logger: logger)
        downloads = ActiveDownloads(access: access, time: time, work: parts)
        batches = ActiveBatches(time: time)
        direct = DirectDoor(settings, bodies: DirectBodies(uploads, downloads, batches), time: time)
    }

    package func open(_ access: CommandAccess) { direct.open(at: access.address) }

    package func checks() async -> [DoctorCheck] { [direct.check] }

    /// Removes parts that nothing came for any more, also where no phone ever begins another upload.
    package func run() async {
        repeat {
            batches.expire()
            await uploads.expire()
        } while await time.pause(for: Self.tidyPace)
    }

    /// Keeps what arrived.
    package func close() async {
        direct.close()
        await uploads.synchronize()
    }

    package var keeper: (any ActivityKeeper)? { self }

    package var frames: [FrameRoute] {
        guard outlet != nil else { return [] }
        return [FrameRoute(firstByte: TransferFrame.firstByte) { [weak self] in self?.request($0) }]
    }

    /// A frame as the method whose binary form it is. Nil for what only a desktop says, and for what is none.
    private func request(_ bytes: [UInt8]) -> FrameRequest? {
        guard let frame = TransferFrame(bytes) else { return nil }
        let refusal: @Sendable (RemoteFailure) -> [UInt8]? = { failure in
            var answer = frame
            answer.content = .refused(code: failure.code, reason: failure.message)
            return answer.bytes
        }
        switch frame.content {
        case .data(let data):
            return FrameRequest(
                FileMethods.uploadChunk.declaration,
                cost: data.count,
                run: { [weak self] in try await self?.write(data, frame, from: $0) },
                refusal: refusal
            )
        case .want(let count):
            return FrameRequest(
                FileMethods.downloadChunk.declaration,
                cost: count,
                run: { [weak self] in try await self?.read(count, frame, for: $0) },
                refusal: refusal
            )
        case .connect:
            return FrameRequest(
                FileMethods.openConnection.declaration,
                cost: 0,
                run: { [weak self] in try await self?.connect(frame, for: $0) },
                refusal: refusal
            )
        case .taken, .refused, .offer: return nil
        }
    }

    /// Agrees on a direct connection with a phone that has a transfer under way.
    private func connect(_ frame: TransferFrame, for caller: Caller) async throws -> FrameAnswer {
        let right: Right
        if (try? downloads.download(frame.transfer, of: caller.id)) != nil {
            right = .fileRead
        } else if try batches.arriving(frame.transfer, of: caller.id) != nil {
            right = .fileWrite
        } else {
            _ = try uploads.upload(frame.transfer, of: caller.id)
            right = .fileWrite
        }
        guard direct.isOn, let secret = await outlet?.bulkSecret(of: caller.id) else {
            throw RemoteFailure(code: FailureCode.unsupported, message: "This computer takes no direct connections.")
        }
        var answer = frame
        answer.content = .offer(try await work.run { [direct] in try direct.offer(to: caller.id, secret) })
        return FrameAnswer(answer.bytes, needing: right)
    }

    private func write(_ data: ArraySlice<UInt8>, _ frame: TransferFrame, from caller: Caller) async throws
        -> FrameAnswer
    {
        if try !batches.write(data, at: frame.offset, of: frame.transfer, by: caller.id) {
            _ = try await uploads.upload(frame.transfer, of: caller.id).write(data, at: frame.offset)
        }
        var answer = frame
        answer.content = .taken(count: data.count)
        return FrameAnswer(answer.bytes, needing: .fileWrite)
    }

    private func read(_ count: Int, _ frame: TransferFrame, for caller: Caller) async throws -> FrameAnswer {
        let download = try downloads.download(frame.transfer, of: caller.id)
        var answer = frame
        answer.content = .data(try await download.read(at: frame.offset, count: count)[...])
        return FrameAnswer(answer.bytes, needing: .fileRead)
    }

    package var methods: [RemoteMethod] {
        let all: [[RemoteMethod]] = [
            FileMethods.list.served { params, _ in try await self.list(params) },
            FileMethods.read.served { params, _ in try await self.read(params) },
            FileMethods.search.served { params, _ in try await self.search(params) },
            FileMethods.thumbnails.served { params, _ in try await self.thumbnails(params) },
            FileMethods.requestDownload.served { try await self.requestDownload($0, $1) },
            FileMethods.downloadChunk.served { try await self.downloadChunk($0, $1) },
            FileMethods.completeDownload.served { try await self.completeDownload($0, $1) },
            FileMethods.downloadFiles.served { try await self.downloadFiles($0, $1) },
            FileMethods.createFolder.served { params, _ in try await self.createFolder(params) },
            FileMethods.rename.served { params, _ in try await self.move(params) },
            FileMethods.move.served { params, _ in try await self.move(params) },
            FileMethods.delete.served { params, _ in try await self.delete(params) },
            FileMethods.requestUpload.served { try await self.requestUpload($0, $1) },
            FileMethods.uploadChunk.served { try await self.uploadChunk($0, $1) },
            FileMethods.completeUpload.served { try await self.completeUpload($0, $1) },
            FileMethods.uploadFiles.served { try await self.uploadFiles($0, $1) },
            FileMethods.info.served { params, _ in try await self.information(params) },
            FileMethods.exists.served { params, _ in try await self.exists(params) },
            FileMethods.cancelTransfer.served { try await self.cancelTransfer($0, $1) },
            FileMethods.listTransfers.served { _, caller in await self.listTransfers(caller) },
        ]
        return all.flatMap(\.self)
    }
}

extension CommandFeatureMaker {
    /// - Parameters:
    ///   - access: To the shared folders.
    ///   - pictures: Makes pictures small; nil where none are.
    package static func files(
        _ access: any FileAccess,
        pictures: (any PhotoEncoder)? = nil
    ) -> CommandFeatureMaker {
        CommandFeatureMaker(FileSkill.manifest) { context in
            try FileSkill(
                access: access,
                journal: SQLiteUploadJournal(context.database, logger: context.logger),
                outlet: context.outlet,
                thumbnails: pictures.map { pictures in
                    ThumbnailMaker(pictures, ThumbnailShelf { try context.storage.folder() }, time: context.time)
                },
                settings: context.settings,
                time: context.time,
                logger: context.logger
            )
        }
    }
}
