import Foundation
import Kernel
import KernelTesting
import Rights
import Testing

@testable import Commands
@testable import Files
@testable import FilesHost
@testable import Transfers

@Suite("The typed wire of files", .timeLimit(.minutes(4)))
struct FileWireTests {
    // MARK: Parameters

    /// Reads parameters, and reads again what they write.
    private static func reader<Parameters: MethodParameters & Equatable, Answer>(
        _ method: Method<Parameters, Answer>
    ) -> [(String, @Sendable (JSONValue) throws -> Bool)] {
        method.declaration.allNames.map { name in
            (
                name,
                { params in
                    let read = try Parameters(wire: RemoteParameters(params))
                    return try Parameters(wire: RemoteParameters(read.wire)) == read
                }
            )
        }
    }

    private static let readers: [String: @Sendable (JSONValue) throws -> Bool] = Dictionary(
        uniqueKeysWithValues: [
            reader(FileMethods.list), reader(FileMethods.read), reader(FileMethods.search),
            reader(FileMethods.requestDownload), reader(FileMethods.downloadChunk),
            reader(FileMethods.completeDownload), reader(FileMethods.createFolder), reader(FileMethods.rename),
            reader(FileMethods.move), reader(FileMethods.delete), reader(FileMethods.requestUpload),
            reader(FileMethods.uploadChunk), reader(FileMethods.completeUpload), reader(FileMethods.info),
            reader(FileMethods.exists), reader(FileMethods.cancelTransfer), reader(FileMethods.listTransfers),
            reader(FileMethods.downloadFiles), reader(FileMethods.uploadFiles), reader(FileMethods.thumbnails),
        ].flatMap(\.self)
    )

    @Test("each method is declared once, with its rights and how it is treated on the way")
    func declarations() {
        let all = FileMethods.all
        #expect(Set(all.flatMap(\.allNames)) == Set(Self.readers.keys))
        #expect(all.flatMap(\.allNames).count == Self.readers.count)
        #expect(all.allSatisfy { $0.risk == .privileged && !$0.isOrdered && !$0.summary.isEmpty })
        let waiting = all.filter(\.mayWait).flatMap(\.allNames)
        #expect(Set(waiting) == ["file.delete", "file.createDirectory", "file.rename"])
        let steps = all.filter { $0.continues == "transferId" }.map(\.name)
        #expect(
            Set(steps) == ["file.uploadChunk", "file.downloadChunk", "file.completeUpload", "file.completeDownload"]
        )
        #expect(all.allSatisfy { $0.continues == nil || $0.continues == "transferId" })
        #expect(Set(all.compactMap(\.permission?.name)) == ["file.read", "file.write", "file"])
    }

    /// The requests of existing programs, each with its answer as far as it is recorded.
    private static func recorded() throws -> [JSONValue] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "../HomeTests/Fixtures/methods/files.jsonl")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
            try JSONValue(parsing: $0.utf8)
        }
    }

    @Test("requests of every existing program are read, and written so that they mean the same")
    func recordedRequests() throws {
        let requests = try Self.recorded()
        #expect(Set(requests.compactMap { $0["method"]?.stringValue }) == Set(Self.readers.keys))
        for request in requests {
            let read = try #require(Self.readers[request["method"]?.stringValue ?? ""])
            let (params, line) = (request["params"] ?? [:], Comment(rawValue: request.canonicalText))
            let refusal = request["error"]?["message"]?.stringValue
            if ["path", "query", "name of a file", "files", "names", "paths"].contains(refusal) {
                #expect(throws: (any Error).self, line) { try read(params) }
            } else {
                #expect(try read(params), line)
            }
        }
    }

    @Test("what does not fit is refused by name")
    func refusals() {
        let cases: [(method: String, params: JSONValue, message: String)] = [
            ("file.readFile", [:], "The parameter path must be a path of 1 to 4096 bytes."),
            ("file.readFile", ["filePath": ""], "The parameter filePath must be a text of 1 to 4096 bytes."),
            ("file.read", ["path": "a", "encoding": "latin1"], "The parameter encoding must be utf-8 or base64."),
            (
                "file.read", ["path": "a", "length": 0],
                "The parameter length must be a whole number from 1 to 1048576."
            ),
            ("file.list", ["offset": -1], "The parameter offset must be a whole number from 0 to 2147483647."),
            ("file.list", ["recursive": 1], "The parameter recursive must be true or false."),
            (
                "file.search", ["maxResults": 1001, "query": "a"],
                "The parameter maxResults must be a whole number from 1 to 1000."
            ),
            ("file.search", [:], "The parameter query must be a text of 1 to 255 bytes."),
            ("file.createDirectory", [:], "The parameter path must be a path of 1 to 4096 bytes."),
            ("file.move", ["path": "a"], "The parameter newPath must be a path of 1 to 4096 bytes."),
            ("file.requestDownload", [:], "The parameter filePath must be a path of 1 to 4096 bytes."),
            (
                "file.requestUpload", ["fileName": "a", "fileSize": 1, "checksum": "00"],
                "The parameter checksum must be a SHA-256 of 64 hexadecimal digits."
            ),
            (
                "file.requestUpload", ["fileName": "a", "fileSize": 1, "checksumKey": "00"],
                "The parameter checksumKey must be 64 hexadecimal digits."
            ),
            (
                "file.requestUpload", ["fileName": "a", "fileSize": 1, "chunkSize": 1],
                "The parameter chunkSize must be a whole number from 4096 to 393216."
            ),
            ("file.uploadChunk", ["transferId": "x", "chunkData": "?"], "The parameter chunkData must be base64."),
            ("file.cancelTransfer", [:], "The parameter transferId must be a text of 1 to 64 bytes."),
            ("file.uploadFiles", ["files": []], "The parameter targetDir must be a path of 1 to 4096 bytes."),
            ("file.uploadFiles", ["targetDir": "a", "files": []], "The parameter files must be a list of 1 to 256."),
            (
                "file.downloadFiles",
                ["path": "a", "names": .array([JSONValue](repeating: "a", count: 257))],
                "The parameter names must be a list of 1 to 256."
            ),
            (
                "file.downloadFiles", ["path": "a", "names": ["a", 1]],
                "The parameter names must be texts of 1 to 1024 bytes."
            ),
            ("file.getThumbnails", ["paths": []], "The parameter paths must be 1 to 24 paths."),
            (
                "file.getThumbnails", ["paths": .array([JSONValue](repeating: "a", count: 25))],
                "The parameter paths must be 1 to 24 paths."
            ),
            (
                "file.getThumbnails", ["paths": ["a", 1]],
                "The parameter paths must be texts of 1 to 4096 bytes."
            ),
            (
                "file.getThumbnails", ["paths": ["a"], "edge": 4096],
                "The parameter edge must be a whole number from 16 to 512."
            ),
            (
                "file.requestUpload", ["fileName": "a", "fileSize": 1, "basedOn": ["size": 1]],
                "The parameter basedOn must be a size with a date, or with the SHA-256 of at most 16 MiB."
            ),
        ]
        for (method, params, message) in cases {
            let failure = #expect(throws: RemoteFailure.self, "\(method)") { try Self.readers[method]?(params) }
            #expect(failure?.code == FailureCode.badParameters)
            #expect(failure?.message == message)
        }
        for name in ["..", "a/b", "a\0"] {
            #expect(throws: FileError.self) {
                try Self.readers["file.rename"]?(["path": "a", "newName": .string(name)])
            }
        }
    }

    @Test("a phone of ours asks as it always did")
    func requests() throws {
        let id = try #require(TransferID(Array(0..<16)))
        var list = ListFolder(path: "a")
        list.isCompact = true
        list.showsHidden = true
        #expect(
            list.wire == [
                "path": "a", "showHidden": true, "recursive": false, "maxDepth": 1, "compact": true, "offset": 0,
            ]
        )
        var upload = RequestUpload(fileName: "a", fileSize: 2)
        upload.folder = "~"
        upload.source = "v"
        upload.isResumable = true
        upload.chunkSize = 4096
        upload.permissions = 0o644
        upload.checksumKey = [UInt8](repeating: 1, count: 32)
        upload.modifiedMilliseconds = 3
        #expect(
            upload.wire == [
                "fileName": "a", "fileSize": 2, "source": "v", "resumable": true, "chunkSize": 4096,
                "overwrite": false, "permissions": 0o644, "modified": 3, "metadata": ["targetDir": "~"],
                "checksumKey": .string(String(repeating: "01", count: 32)),
            ]
        )
        upload.resume = id
        #expect(try Self.readers["file.requestUpload"]?(upload.wire) == true)
        var download = RequestDownload(path: "a")
        download.chunkSize = 4096
        download.version = "v"
        #expect(download.wire == ["filePath": "a", "chunkSize": 4096, "version": "v"])
        #expect(
            UploadChunk(transferID: "up_1", index: 2, bytes: Data("hello".utf8)).wire
                == ["transferId": "up_1", "chunkIndex": 2, "chunkData": "aGVsbG8="]
        )
        #expect(DownloadChunk(transferID: "dn_1", index: 2).wire == ["transferId": "dn_1", "chunkIndex": 2])
        #expect(CompleteUpload(transferID: "up_1").wire == ["transferId": "up_1"])
        #expect(CreateFolder(path: "a").wire == ["path": "a"])
    }

    // MARK: Answers

    private static let status = FileStatus(
        kind: .file,
        size: 5,
        modified: FileTime(seconds: 1_790_000_000, nanoseconds: 999_999_999),
        accessed: FileTime(seconds: -1, nanoseconds: 999_999_999),
        created: nil,
        permissions: 0o444,
        inode: 1,
        device: 2
    )

    /// An answer of ours, its wire, and whether it is read as it was written.
    private static func sample<Answer: MethodAnswer & Equatable>(_ answer: Answer) -> (
        wire: JSONValue, read: @Sendable (JSONValue) throws(RemoteError) -> JSONValue, isSame: Bool
    ) {
        // Nil says it: it cannot even be read.
        (
            answer.wire, { (wire) throws(RemoteError) in try Answer(wire: wire).wire },
            (try? Answer(wire: answer.wire)) == answer
        )
    }

    private static var answers:
        [(
            wire: JSONValue, read: @Sendable (JSONValue) throws(RemoteError) -> JSONValue, isSame: Bool
        )]
    {
        let entry = FileEntry(name: [0x61, 0xFF], path: "/h/a\u{EFFF}", status: status, isFolder: false)
        var listing = FolderListing(path: "/h", entries: [entry])
        listing.total = 7
        listing.offset = 1
        listing.nextOffset = 2
        listing.batch = .most
        let terms = TransferTerms(
            transferID: TransferID().text(.upload),
            chunkSize: 4096,
            usesFrames: true,
            usesBlockTags: true
        )
        var ranges = ByteRanges(0..<10)
        ranges.insert(20..<30)
        return [
            sample(listing), sample(SearchResults(path: "/h", entries: [entry], isTruncated: true)),
            sample(FilePart(path: "/h/a", content: .text("grüße"), size: 9, offset: 1)),
            sample(FilePart(path: "/h/a", content: .data(Data([0xFF, 0])), size: 2, offset: 0)),
            sample(FileInformation(file: entry)), sample(FileInformation(file: nil)),
            sample(FileExistence(kind: .link, isFolder: true)), sample(FileExistence(kind: nil, isFolder: false)),
            sample(FolderCreated(path: "/h/a", isNew: false)), sample(FileMoved(oldPath: "/h/a", path: "/h/b")),
            sample(FileDeleted(path: "/h/a", isInTrash: true)),
            sample(UploadBegun(terms: terms, size: 40, path: "/h/a", received: ranges)),
            sample(DownloadBegun(terms: terms, fileName: "a", path: "/h/a", status: status)),
            sample(ChunkTaken(index: 1, received: 2, total: 3, progress: 66)),
            sample(
                UploadCompleted(transferID: "up_1", path: "/h/a", fileName: "a", fileSize: 1, checksum: nil)
            ),
            sample(DownloadedChunk(bytes: Data([1]), index: 0, isLast: true, progress: 100)),
            sample(DownloadCompleted(checksum: "00", fileSize: 1, version: "v")),
            sample(TransferCancelled(transferID: "dn_1")),
            sample(FilesUploaded(files: [.arrived, .present, .refused(code: FailureCode.exists)])),
            sample(FilesUploaded(files: [.wanted, .present], transferID: "up_1", offersConnections: true)),
            sample(
                FilesDownloaded(
                    files: [.bundled(size: 1, permissions: 0o600, modifiedMilliseconds: 1), .refused(code: -1)],
                    transferID: "dn_1"
                )
            ),
            sample(
                FilesDownloaded(files: [
                    .file(bytes: Data([1]), permissions: 0o600, modifiedMilliseconds: -1),
                    .file(bytes: Data(), permissions: nil, modifiedMilliseconds: nil),
                    .refused(code: FailureCode.notFound),
                ])
            ),
            sample(
                TransferList(transfers: [
                    TransferList.Transfer(
                        "dn_1",
                        .download,
                        fileName: "a",
                        fileSize: 1,
                        progress: 0,
                        status: "sending",
                        path: "/h/a",
                        chunkSize: 4096,
                        version: "v"
                    )
                ])
            ),
        ]
    }

    @Test("an answer is read as it was written")
    func answersRoundTrip() {
        for (index, answer) in Self.answers.enumerated() {
            #expect(answer.isSame, "\(index): \(answer.wire)")
            #expect(answer.wire["success"] == true)
        }
    }

    @Test("a computer of ours writes every documented and observed member")
    func members() {
        let entry = FileEntry(name: [0x61, 0xFF], path: "/h/a\u{EFFF}", status: Self.status, isFolder: false)
        #expect(
            entry.wire == [
                "name": "a\u{EFFF}", "path": "/h/a\u{EFFF}", "type": "file", "isDirectory": false, "size": 5,
                "modifiedTime": 1_790_000_000_999, "modified": 1_790_000_000_999, "createdTime": 1_790_000_000_999,
                "accessedTime": -1, "isHidden": false, "isReadOnly": true, "kind": "file", "permissions": 0o444,
                "nameBytes": "Yf8=",
            ]
        )
        let terms = TransferTerms(transferID: "up_1", chunkSize: 4096, usesFrames: false, usesBlockTags: false)
        #expect(
            UploadBegun(terms: terms, size: 4097, path: "/h/a", received: ByteRanges(0..<5)).wire == [
                "success": true, "transferId": "up_1", "chunkSize": 4096, "totalChunks": 2, "resumeSupported": true,
                "received": [[0, 5]], "frames": false, "path": "/h/a", "checksumMethod": "sha256",
            ]
        )
        #expect(
            DownloadBegun(terms: terms, fileName: "a", path: "/h/a", status: Self.status).wire == [
                "success": true, "transferId": "up_1", "fileName": "a", "fileSize": 5, "chunkSize": 4096,
                "totalChunks": 1, "checksum": .null, "resumeSupported": true, "frames": false, "path": "/h/a",
                "version": .string(Self.status.version), "modified": 1_790_000_000_999, "permissions": 0o444,
                "checksumMethod": "sha256",
            ]
        )
        #expect(
            ChunkTaken(index: 1, received: 2, total: 3, progress: 66).wire == [
                "success": true, "received": 2, "progress": 66, "remainingChunks": 1, "chunkIndex": 1,
                "totalChunks": 3,
            ]
        )
        #expect(
            UploadCompleted(transferID: "up_1", path: "/h/a", fileName: "a", fileSize: 1, checksum: nil).wire == [
                "success": true, "transferId": "up_1", "path": "/h/a", "filePath": "/h/a", "fileName": "a",
                "fileSize": 1, "size": 1, "checksum": .null,
            ]
        )
        #expect(
            DownloadedChunk(bytes: Data([1]), index: 0, isLast: true, progress: 100).wire == [
                "success": true, "chunkData": "AQ==", "chunkSize": 1, "chunkIndex": 0, "isLastChunk": true,
                "progress": 100,
            ]
        )
        #expect(
            FilePart(path: "/h/a", content: .text("ab"), size: 9, offset: 1).wire == [
                "success": true, "path": "/h/a", "content": "ab", "encoding": "utf-8", "size": 9, "offset": 1,
                "length": 2, "isLast": false, "nextOffset": 3,
            ]
        )
        #expect(FileInformation(file: nil).wire == ["success": true, "exists": false, "file": .null])
        #expect(FileExistence(kind: nil, isFolder: false).wire == ["success": true, "exists": false])
        #expect(
            FileMoved(oldPath: "a", path: "b").wire
                == ["success": true, "oldPath": "a", "newPath": "b", "path": "b"]
        )
    }

    @Test("the compact form of a folder is read back as it was written")
    func compact() throws {
        var compact = CompactEntries()
        compact.append(name: [0x20, 0xFF, 0x0A], status: Self.status)
        compact.append(name: Array("b".utf8), status: Self.status)
        #expect(compact.text.hasPrefix("f 444 5 1790000000999  "))
        let wire = FolderListing(path: "/h", compact: compact).wire
        let read = try FolderListing(wire: wire)
        #expect(read.entries.map(\.name) == [[0x20, 0xFF, 0x0A], Array("b".utf8)])
        #expect(read.entries.map(\.path) == ["/h/ \u{EFFF}\n", "/h/b"])
        #expect(read.entries.allSatisfy { $0.kind == .file && $0.size == 5 && $0.permissions == 0o444 })
        #expect(read.wire == wire)
        for text in ["f", "f 644 1 1/", "x 644 1 1 a/", "f 9 1 1 a/", "f 644 x 1 a/", "f 644 1 1e9 a/"] {
            #expect(throws: RemoteError.malformedResult) { try FolderListing(wire: ["compact": .string(text)]) }
        }
    }

    @Test("answers of programs that leave out what is not documented are read")
    func sparse() throws {
        let information = try FileInformation(
            wire: ["success": true, "exists": true, "file": ["name": "down.bin", "type": "file", "size": 150_000]]
        )
        #expect(information.file?.kind == .file)
        #expect(information.file?.modifiedMilliseconds == nil)
        #expect(try FileInformation(wire: ["success": true, "file": .null]).file == nil)
        let folder = try FolderListing(wire: ["entries": [["name": "a", "isDirectory": true], ["size": 1], 7]])
        #expect(folder.entries.map(\.kind) == [.folder])
        let begun = try UploadBegun(wire: ["transferId": "up_1", "chunkSize": 65_536])
        #expect(begun.received == ByteRanges())
        #expect(!begun.terms.usesFrames)
        #expect(!begun.terms.usesBlockTags)
        for (modified, kept) in [(Int64.max, nil), (.min, nil), (-1, -1), (1_790_000_000_000, 1_790_000_000_000)]
            as [(Int64, Int64?)]
        {
            let download = try DownloadBegun(
                wire: ["transferId": "dn_1", "chunkSize": 65_536, "fileSize": 1, "modified": .integer(modified)]
            )
            #expect(download.modifiedMilliseconds == kept)
        }
        #expect(UploadCompleted(wire: ["success": true]).path == nil)
        #expect(try FilePart(wire: ["content": "ab"]).isLast)
        #expect(try FileExistence(wire: ["exists": true, "isDirectory": true]).kind == .folder)
    }

    @Test("an answer that cannot be used is one that could not be read")
    func malformed() {
        let id: JSONValue = "dn_1"
        let cases: [(any MethodAnswer.Type, JSONValue)] = [
            (FolderListing.self, [:]), (FolderListing.self, ["entries": "a"]), (SearchResults.self, ["total": 2]),
            (FilePart.self, [:]), (FilePart.self, ["content": "?", "encoding": "base64"]),
            (FileInformation.self, ["exists": true]), (FileInformation.self, ["file": 7]),
            (FileInformation.self, ["exists": true, "file": .null]),
            (FileExistence.self, ["isDirectory": true]), (FileExistence.self, .null),
            (UploadBegun.self, ["transferId": id]), (UploadBegun.self, ["transferId": id, "chunkSize": 0]),
            (UploadBegun.self, ["transferId": id, "chunkSize": .integer(.max)]),
            (UploadBegun.self, ["transferId": id, "chunkSize": 1, "received": [[5, 1]]]),
            (UploadBegun.self, ["transferId": id, "chunkSize": 1, "received": [[-1, 1]]]),
            (UploadBegun.self, ["transferId": id, "chunkSize": 1, "received": [[0, .integer(.max)]]]),
            (UploadBegun.self, ["transferId": .string(String(repeating: "x", count: 129)), "chunkSize": 1]),
            (DownloadBegun.self, ["transferId": id, "chunkSize": 1]),
            (DownloadBegun.self, ["transferId": id, "chunkSize": 1, "fileSize": -1]),
            (DownloadBegun.self, ["transferId": id, "chunkSize": 1, "fileSize": .integer(.max)]),
            (DownloadedChunk.self, [:]), (DownloadedChunk.self, ["chunkData": "?"]), (TransferList.self, ["total": 2]),
            (FilesUploaded.self, ["success": true]), (FilesDownloaded.self, ["files": 1]),
        ]
        for (type, wire) in cases {
            #expect(throws: RemoteError.malformedResult, "\(type) \(wire)") { try type.init(wire: wire) }
        }
    }

    @Test("how many small files go together is what the computer says, within our own bounds; without a word, none do")
    func batchTerms() {
        func terms(_ files: JSONValue, _ bytes: JSONValue) -> BatchTerms? {
            FolderCreated(wire: ["path": "/h", "batch": ["files": files, "bytes": bytes]]).batch
        }
        #expect(FolderCreated(wire: ["path": "/h"]).batch == nil)
        for (files, bytes) in [(0, 1), (1, 0), (-1, 1), ("2", 1), (.null, 1), (1, .null)] as [(JSONValue, JSONValue)] {
            #expect(terms(files, bytes) == nil)
        }
        #expect(terms(.integer(.max), .integer(.max)) == .most)
        let groups = terms(3, 10)?.groups(of: [4, 4, 4, 11, 0, 0, 0, nil, 10] as [Int64?]) { $0 }
        #expect(groups?.batches == [[4, 4], [4, 0, 0], [0, 10]])
        #expect(groups?.alone == [11, nil])
        // Large ones go alone however much the computer takes.
        let large = BatchTerms.most.groups(of: [65_536, 65_537] as [Int64]) { $0 }
        #expect(large.batches == [[65_536]])
        #expect(large.alone == [65_537])
    }

    @Test("a file of a batch that cannot be read leaves its neighbours alone")
    func malformedBatch() throws {
        let good: JSONValue = ["fileName": "a", "content": "aGVsbG8="]
        let bad: [JSONValue] = [
            7, [:], ["fileName": "b"], ["fileName": "b", "content": "?"], ["fileName": "", "content": ""],
            ["fileName": "b", "content": "", "permissions": 0o1000],
            ["fileName": "b", "content": "", "modified": "now"],
        ]
        let read = try UploadFiles(wire: RemoteParameters(["targetDir": "~", "files": .array([good] + bad + [good])]))
        let file = WholeFile(name: [0x61], content: Array("hello".utf8))
        #expect(read.files == [file] + [WholeFile?](repeating: nil, count: bad.count) + [file])
    }

    @Test("contents that travel apart are of small files, within the computer's word and our own bounds")
    func bundleTerms() throws {
        func terms(_ bundle: JSONValue) -> BatchTerms? {
            BatchTerms(wire: ["files": 3, "bytes": 10, "bundle": bundle])
        }
        // Less than goes within the exchange is as if nothing was said.
        for said in [10, 0, -1, "11", .null] as [JSONValue] { #expect(terms(said)?.bundle == nil) }
        #expect(terms(11)?.bundle == 11)
        #expect(terms(.integer(.max))?.bundle == BatchTerms.bundleLimit)
        #expect(terms(11)?.groups(of: [5, 6, 1] as [Int64]) { $0 }.batches == [[5, 6], [1]])
        #expect(terms(11)?.withoutBundles.groups(of: [5, 6, 1] as [Int64]) { $0 }.batches == [[5], [6, 1]])
        let ours = BatchTerms.most.withBundles
        #expect(BatchTerms(wire: ours.wire) == ours)
        #expect(ours.groups(of: [65_536, 65_537, 65_536] as [Int64]) { $0 }.batches == [[65_536, 65_536]])
    }

    @Test("an announced file has a name and a size of a small file, or leaves its neighbours alone")
    func announcedFiles() throws {
        let good: JSONValue = ["fileName": "a", "fileSize": 65_536]
        let bad: [JSONValue] = [
            ["fileName": "b"], ["fileName": "b", "fileSize": -1], ["fileName": "b", "fileSize": 65_537],
            ["fileName": "", "fileSize": 1], ["fileSize": 1],
        ]
        let wire: JSONValue = ["targetDir": "~", "bundle": true, "files": .array([good] + bad + [good])]
        let read = try UploadFiles(wire: RemoteParameters(wire))
        let file = WholeFile(name: [0x61], content: [])
        #expect(read.files == [file] + [WholeFile?](repeating: nil, count: bad.count) + [file])
        #expect(read.sizes == [65_536] + [Int](repeating: 0, count: bad.count) + [65_536])
        #expect(try UploadFiles(wire: RemoteParameters(read.wire)) == read)
        let second = UploadFiles(arrived: TransferID().text(.upload), in: "~")
        #expect(try UploadFiles(wire: RemoteParameters(second.wire)) == second)
        let whole = WholeFile(name: [0x61], content: [1, 2, 3], permissions: 0o600, modifiedMilliseconds: 1)
        let announced = UploadFiles(announcing: [whole], in: "~", replacing: true)
        #expect(announced.sizes == [3] && announced.files[0]?.content == [])
        #expect(try UploadFiles(wire: RemoteParameters(announced.wire)) == announced)
    }

    @Test("the largest batch that is sent stays below the largest message, whatever its files are called")
    func largestBatch() {
        let name = [UInt8](repeating: 0x01, count: 255)
        let size = Int(BatchTerms.most.bytes) / BatchTerms.most.files
        let file = WholeFile(
            name: name,
            content: [UInt8](repeating: 0xFF, count: size),
            permissions: 0o777,
            modifiedMilliseconds: TransferLimits.modified.lowerBound
        )
        let files = [WholeFile?](repeating: file, count: BatchTerms.most.files)
        let params = UploadFiles(folder: String(repeating: "a", count: 4000), files: files, replacing: true)
        let request = CommandRequest(id: UUID().uuidString, method: FileMethods.uploadFiles.name, params: params.wire)
        let envelope = request.envelope(mobileDID: String(repeating: "d", count: 256))
        #expect(envelope.canonicalBytes.count < CommandRequest.byteLimit)
    }

    @Test("hostile answers are refused or read within bounds, and what was read can be written")
    func hostile() {
        var fuzz = FuzzedJSON(seed: 91, names: ["size", "received", "entries", "compact", "file", "nextOffset"])
        for answer in Self.answers {
            for _ in 0..<500 {
                do {
                    let wire = try answer.read(fuzz.variation(of: answer.wire))
                    for name in ["fileSize", "offset", "chunkSize"] where wire["success"] == true {
                        guard let number = wire[name]?.integerValue, name != "offset" || wire["content"] != nil else {
                            continue
                        }
                        #expect((0...TransferLimits.fileSize).contains(number), "\(wire)")
                    }
                } catch {
                    #expect(error == RemoteError.malformedResult)
                }
            }
        }
    }
}
