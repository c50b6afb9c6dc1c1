package import Files
package import Foundation
package import Transfers

/// The desktop's record of an upload, so that it goes on after a crash on either side.
package struct UploadRecord: ArrivalRecord, Hashable, Codable {
    /// 32 hexadecimal digits.
    package var id: String
    package var caller: String
    /// The folder it goes to, as an absolute path: shared folders may be listed in another order at the next start.
    package var folder: Data
    package var name: Data
    package var size: Int64
    /// The file's checksum: the sender's, if it knew it; at the end the one found. SHA-256 in hexadecimal digits, or the result of block tags.
    package var checksum: String?
    /// The key of the block tags that the sender compares the file by; nil: by SHA-256.
    package var checksumKey: Data?
    /// The sender's words for the version of its file.
    package var source: String?
    package var chunkSize: Int
    package var replaces: Bool
    package var permissions: UInt32?
    package var modifiedMilliseconds: Int64?
    /// Whether the sender knows how to go on: then the part is kept for days instead of minutes.
    package var isResumable: Bool
    package var touchedAt: Date
    package var phase: ArrivalPhase = .receiving
    /// The whole file's, noted before it gets its name: after a crash it tells whether it has it.
    package var inode: UInt64?
    /// The version of the finished file, so that the same upload again is known to be done as long as the file is unchanged.
    package var finishedVersion: String?
    /// What the content was made from: it replaces nothing else.
    package var basedOn: FileBase?
    /// The ranges on disk for sure.
    package var received = ByteRanges()

    /// The file did not get its name: it is compared anew, by the key that its sender has by then.
    package mutating func returnToReceiving() {
        phase = .receiving
        inode = nil
        if checksum.flatMap(FileChecksum.init)?.isOfBlockTags == true { checksum = nil }
    }

    /// The file's path, for answers and for the person.
    var targetText: String {
        let folder = FileNameText.text(folder)
        return (folder == "/" ? "" : folder) + "/" + FileNameText.text(name)
    }

    var partName: [UInt8] { PartName.make(name, id: id) }
}
