import Foundation
import Kernel
import Transfers

/// The desktop's answer to a request for a transfer, checked.
struct RemoteTransfer: Sendable {
    let id: TransferID
    let text: String
    let size: Int64
    let chunkSize: Int64
    /// Both sides understand binary frames.
    let usesFrames: Bool
    let received: ByteRanges
    let version: String?
    let modifiedMilliseconds: Int64?
    let permissions: UInt32?
    let checksumMethod: ChecksumMethod

    /// - Parameters:
    ///   - checksumKey: What the desktop was offered; one that knows nothing of it goes by SHA-256.
    ///   - frameSize: Bytes of a part where both sides understand frames.
    init(_ answer: JSONValue, method: String, size expected: Int64?, checksumKey: [UInt8], frameSize: Int64)
        throws(TransferError)
    {
        guard let text = answer["transferId"]?.stringValue, text.utf8.count <= 128,
            let size = expected ?? answer["fileSize"]?.integerValue, (0...TransferLimits.fileSize).contains(size),
            let chunkSize = answer["chunkSize"]?.integerValue, (1...(1 << 20)).contains(chunkSize)
        else { throw .malformedAnswer(method: method) }
        self.text = text
        self.size = size
        let ours = TransferID(text: text)
        id = ours ?? TransferID()
        usesFrames = answer["frames"]?.boolValue == true && ours != nil
        // Frames say where their bytes belong; only JSON counts in chunks.
        self.chunkSize = usesFrames ? frameSize : chunkSize
        var ranges = ByteRanges()
        for pair in answer["received"]?.arrayValue ?? [] {
            guard let bounds = pair.arrayValue?.compactMap(\.integerValue), bounds.count == 2, bounds[0] >= 0,
                bounds[0] <= bounds[1], bounds[1] <= size
            else { throw .malformedAnswer(method: method) }
            ranges.insert(bounds[0]..<bounds[1])
        }
        received = ranges
        let isOfBlockTags = answer["checksumMethod"]?.stringValue == ChecksumMethod.blockTagsName
        checksumMethod = ChecksumMethod(key: isOfBlockTags ? checksumKey : nil)
        version = answer["version"]?.stringValue
        modifiedMilliseconds = answer["modified"]?.integerValue
        permissions = answer["permissions"]?.integerValue.flatMap { UInt32(exactly: $0) }.map { $0 & 0o777 }
    }

    /// The chunks that are not wholly in `ranges`, in order.
    func chunks(without ranges: ByteRanges) -> some Sequence<Range<Int64>> {
        (0..<(size + chunkSize - 1) / chunkSize).lazy
            .map { [chunkSize, size] in $0 * chunkSize..<min(($0 + 1) * chunkSize, size) }
            .filter { !ranges.contains($0) }
    }
}
