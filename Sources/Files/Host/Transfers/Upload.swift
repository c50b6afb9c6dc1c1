import Transfers

/// One file on its way to the desktop.
typealias Upload = Arrival<UploadPlace>

extension Arrival where Place == UploadPlace {
    var caller: String { owner }

    /// Checks the file and gives it its name. A repeat answers the same again.
    ///
    /// - Parameter checksum: The sender's, when it knows it only now.
    func complete(checksum: String?) async throws -> UploadRecord {
        try await complete { part, found, record in
            for case let expected? in [record.checksum, checksum] {
                guard try Self.matches(expected, found, part, record) else { throw TransferError.checksumMismatch }
            }
            record.checksum = found
            record.inode = try part.status().inode
        }
    }

    /// - Parameter found: The file's checksum by this upload's own method. The sender may also say the other one's.
    private static func matches(_ expected: String, _ found: String, _ part: any PartialFile, _ record: UploadRecord)
        throws -> Bool
    {
        if expected == found { return true }
        guard record.checksumKey != nil, FileChecksum(expected)?.isOfBlockTags == false else { return false }
        var digest = FileDigest(.sha256, size: record.size)
        return try digest.finish(part, named: record.targetText) == expected
    }

    /// Brings the record up to what is on disk, for a sender that goes on.
    ///
    /// - Throws: When what is there is of no use any more: the partial file is gone, or the finished one is another by now.
    /// - Parameter request: The sender's wishes by now: whether a file may be replaced, permissions, date, and how it compares
    ///   the file. Nothing of the earlier request's wishes stays.
    func resume(_ request: UploadRequest) async throws -> UploadRecord {
        try await resume { record in request.renew(&record) }
    }
}
