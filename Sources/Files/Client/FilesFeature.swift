public import Capabilities
public import CommandClient
public import Commands
public import Control
import Kernel
import Rights
import Sections
import Transfers
public import Transport

/// Files of paired computers: their methods, and transfers that a command or a page on this device asks for.
public struct FilesFeature: PeerFeature {
    /// The maker that a composition lists to have this feature: both rights over files, and the table that transfers are journalled in.
    public static let maker = PeerFeatureMaker(
        "files",
        rights: [.fileRead, .fileWrite],
        migrations: SQLiteTransferJournal.migrations,
        leaving: [
            LeftBehind(
                .table("fileTransfer"),
                because: "Transfers under way name files by their paths on this device, and go on here alone."
            )
        ]
    ) { context in
        FilesFeature(
            journal: SQLiteTransferJournal(context.database, logger: context.logger),
            computers: context.computers
        )
    }

    private let journal: any TransferJournal
    private let computers: any PairedComputers

    package init(journal: any TransferJournal, computers: any PairedComputers) {
        self.journal = journal
        self.computers = computers
    }

    /// All methods of ``FileMethods``.
    public var methods: [MethodDeclaration] { FileMethods.all }

    /// The page's `/api/files`, `/api/uploads` and `/api/downloads`. Source: `docs/page.md`, "The local API".
    public func pageRoutes() throws -> RouteSet {
        RouteSet(http: try FilesPage(computers: computers).routes())
    }

    /// A ``FileTransferClient`` for the computer.
    public func part(for computer: ComputerContext) -> (any ComputerPart)? {
        FileTransferClient(
            desktop: computer.id,
            journal: journal,
            // The requests of a transfer may be sent twice.
            invoke: { try await computer.call($0, $1, $2, true) },
            sendFrame: computer.sendFrame,
            locate: computer.direct.map(Self.locate)
        )
    }

    private static func locate(_ direct: @escaping @Sendable () async -> DirectWay?) -> BulkDialer.Locate {
        {
            guard let way = await direct() else { return nil }
            return BulkDialer.Place(addresses: way.addresses, session: way.secret.session, secret: way.secret.bytes)
        }
    }

    /// Which way the files of each computer take.
    public func checks() async -> [DoctorCheck] {
        var checks: [DoctorCheck] = []
        for await paired in computers.paired() {
            for computer in paired {
                // One that is not to be reached now is no trouble of files; one without a session has one way only.
                guard let client = try? await computers.part(FileTransferClient.self, forComputer: computer.id),
                    client.dialer != nil
                else { continue }
                checks.append(Self.check(client.way, client.moved, of: computer.name))
            }
            break
        }
        return checks
    }

    private static func check(_ way: BulkDialer.Way, _ moved: ChosenByteLink.Moved, of computer: String) -> DoctorCheck
    {
        var values: [String: JSONValue] = [
            "computer": .string(computer), "direct": .integer(moved.direct), "session": .integer(moved.session),
        ]
        let so = "\(moved.direct >> 20) MiB went directly so far, \(moved.session >> 20) MiB through the session."
        let (reason, detail): (String, String)
        switch way {
        case .direct(let address):
            values["address"] = .string(address)
            (reason, detail) = ("filesDirect", "Files of \(computer) go directly, at \(address). \(so)")
        case .session(let error?):
            (reason, detail) = (Self.reason(error), "Files of \(computer) go through the session. \(error) \(so)")
        case .session(nil):
            (reason, detail) = ("filesSession", "Files of \(computer) go through the session now. \(so)")
        }
        return DoctorCheck(name: "Direct connections", works: true, detail: detail).saying(reason, values)
    }

    /// The page's sentence for why a direct connection failed last.
    private static func reason(_ error: BulkError) -> String {
        switch error {
        case .unreachable, .notListening, .unknownToken, .tooMany: "filesUnreached"
        case .truncated, .stalled: "filesCut"
        case .wrongProof: "filesForeign"
        case .damaged, .malformed: "filesDamaged"
        // Neither is a failure: another connection comes with the next part.
        case .exhausted, .closed: "filesSession"
        }
    }

    /// `files.get` and `files.put` of the control socket: each runs one transfer to its end, and reports on the way how far each file is.
    /// `files.discard` throws away what an interrupted transfer left.
    public var controlRoutes: [ControlRoute] {
        [
            ControlRoute(FileControl.get) { [computers] get, report in
                let client = try await Self.client(computers, get.device)
                return try await Self.following(client, report) {
                    try await client.download(
                        get.remote,
                        to: get.local,
                        as: get.name,
                        replacing: get.replace ?? false,
                        mask: get.mask.map { $0 & 0o777 }
                    )
                }
            },
            ControlRoute(FileControl.put) { [computers] put, report in
                let client = try await Self.client(computers, put.device)
                return try await Self.following(client, report) {
                    try await client.upload(put.local, to: put.remote, replacing: put.replace ?? false)
                }
            },
            ControlRoute(FileControl.discard) { [computers] discard in
                let count = try await Self.client(computers, discard.device).discard(discard.local)
                return FileControl.Discarded(count: count)
            },
        ]
    }

    static func client(_ computers: any PairedComputers, _ name: String?) async throws -> FileTransferClient {
        let peer = try await computers.peer(named: name)
        return try await computers.part(FileTransferClient.self, forComputer: peer.id)
    }

    /// Reports how far each file is, as often as people can read.
    private static func following(
        _ client: FileTransferClient,
        _ report: @escaping @Sendable (FileControl.Step) async throws -> Void,
        _ transfer: @escaping @Sendable () async throws -> TransferReport
    ) async throws -> TransferReport {
        let progress = client.progress()
        return try await withThrowingTaskGroup(of: TransferReport?.self) { group in
            group.addTask { try await transfer() }
            group.addTask {
                var told: (path: String, at: ContinuousClock.Instant)?
                for await step in progress {
                    let now = ContinuousClock.now
                    if let told, told.path == step.path, step.done < step.total, now - told.at < .milliseconds(50) {
                        continue
                    }
                    told = (step.path, now)
                    try await report(FileControl.Step(path: step.path, done: step.done, total: step.total))
                }
                return nil
            }
            defer { group.cancelAll() }
            while let outcome = try await group.next() {
                if let outcome { return outcome }
            }
            throw CancellationError()
        }
    }
}

/// The control methods for transfers, for commands and pages on a phone's device. While a transfer runs, items say how far it is.
package enum FileControl {
    package static let get = ControlStream<Get, Step, TransferReport>(
        "files.get",
        summary: "Fetch a file or folder of a computer."
    )
    package static let put = ControlStream<Put, Step, TransferReport>(
        "files.put",
        summary: "Send a file or folder to a computer."
    )

    package static let discard = ControlMethod<Discard, Discarded>(
        "files.discard",
        summary: "Throw away what interrupted uploads left at a computer."
    )

    package struct Discard: Codable, Hashable, Sendable {
        /// The computer's id or name; nil where only one is paired.
        package var device: String?
        /// The path on this device that was sent.
        package var local: String

        package init(device: String?, local: String) {
            self.device = device
            self.local = local
        }
    }

    package struct Discarded: Codable, Hashable, Sendable {
        /// Uploads that were begun and not finished.
        package var count: Int

        package init(count: Int) { self.count = count }
    }

    package struct Get: Codable, Hashable, Sendable {
        /// The computer's id or name; nil where only one is paired.
        package var device: String?
        /// A path on the computer.
        package var remote: String
        /// A folder on this device.
        package var local: String
        /// Its name there; nil: as on the computer.
        package var name: String?
        /// Whether files here may be replaced; nil: not.
        package var replace: Bool?
        /// The umask of the asker, which is taken from the permissions of what arrives; nil: 0o022.
        package var mask: UInt32?

        package init(
            device: String?,
            remote: String,
            local: String,
            name: String? = nil,
            replace: Bool = false,
            mask: UInt32? = nil
        ) {
            self.device = device
            self.remote = remote
            self.local = local
            self.name = name
            self.replace = replace
            self.mask = mask
        }
    }

    package struct Put: Codable, Hashable, Sendable {
        /// The computer's id or name; nil where only one is paired.
        package var device: String?
        /// A path on this device.
        package var local: String
        /// A folder of the computer; empty: where it puts what it is sent.
        package var remote: String
        /// Whether files there may be replaced; nil: not.
        package var replace: Bool?

        package init(device: String?, local: String, remote: String, replace: Bool = false) {
            self.device = device
            self.local = local
            self.remote = remote
            self.replace = replace
        }
    }

    /// How far one file is: an item of either method.
    package struct Step: Codable, Hashable, Sendable {
        /// The path on the computer.
        package var path: String
        /// Bytes.
        package var done: Int64
        package var total: Int64
    }
}
