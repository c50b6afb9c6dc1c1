import Commands
import Transfers

/// The desktop's answer to a request for a transfer, checked.
struct RemoteTransfer: Sendable {
    /// Bytes below which a file is through before a connection is open.
    private static let leastDirectSize: Int64 = 1 << 20

    let id: TransferID
    let text: String
    let size: Int64
    let chunkSize: Int64
    /// Both sides understand binary frames.
    let usesFrames: Bool
    /// Whether the computer can be asked for a direct connection, and the file is large enough to be worth one.
    let usesConnections: Bool
    private(set) var received = ByteRanges()
    /// Parts of a file that is fetched that are zeros.
    private(set) var holes = ByteRanges()
    private(set) var version: String?
    private(set) var modifiedMilliseconds: Int64?
    private(set) var permissions: UInt32?
    let checksumMethod: ChecksumMethod
    /// The key for block tags that the desktop was offered.
    let checksumKey: [UInt8]

    /// - Parameters:
    ///   - checksumKey: The key that the desktop was offered; one that does not know block tags goes by SHA-256.
    ///   - frameSize: Bytes of a part where both sides understand frames.
    init(_ begun: DownloadBegun, checksumKey: [UInt8], frameSize: Int64) {
        self.init(begun.terms, size: begun.fileSize, checksumKey: checksumKey, frameSize: frameSize)
        holes = begun.holes
        version = begun.version
        modifiedMilliseconds = begun.modifiedMilliseconds
        permissions = begun.permissions
    }

    /// - Throws: ``TransferError/malformedAnswer(method:)`` where parts beside the file are said to be there.
    init(_ begun: UploadBegun, size: Int64, checksumKey: [UInt8], frameSize: Int64) throws(TransferError) {
        self.init(begun.terms, size: size, checksumKey: checksumKey, frameSize: frameSize)
        guard begun.received.ranges.last.map({ $0.upperBound <= size }) ?? true else {
            throw .malformedAnswer(method: FileMethods.requestUpload.name)
        }
        received = begun.received
    }

    private init(_ terms: TransferTerms, size: Int64, checksumKey: [UInt8], frameSize: Int64) {
        text = terms.transferID
        self.size = size
        let ours = TransferID(text: text)
        id = ours ?? TransferID()
        usesFrames = terms.usesFrames && ours != nil
        usesConnections = usesFrames && terms.offersConnections && size >= Self.leastDirectSize
        // Frames say where their bytes belong; only JSON counts in chunks.
        chunkSize = usesFrames ? frameSize : terms.chunkSize
        self.checksumKey = checksumKey
        checksumMethod = ChecksumMethod(key: terms.usesBlockTags ? checksumKey : nil)
    }

    /// Whether it comes in the same parts as the one before, with a checksum of the same kind and key.
    func continues(_ before: RemoteTransfer) -> Bool {
        chunkSize == before.chunkSize && checksumKey == before.checksumKey && usesBlockTags == before.usesBlockTags
    }

    private var usesBlockTags: Bool {
        switch checksumMethod {
        case .blockTags: true
        case .sha256: false
        }
    }

    /// The chunks that are not wholly in `ranges`, in order.
    func chunks(without ranges: ByteRanges) -> some Sequence<Range<Int64>> {
        (0..<(size + chunkSize - 1) / chunkSize).lazy
            .map { [chunkSize, size] in $0 * chunkSize..<min(($0 + 1) * chunkSize, size) }
            .filter { !ranges.contains($0) }
    }
}
