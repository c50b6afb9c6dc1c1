public import Foundation
public import Transfers

/// What the phone keeps of a transfer, so that it goes on after a crash on either side.
public struct TransferRecord: Hashable, Sendable, Codable {
    /// 32 hexadecimal digits.
    public var id: String
    public var desktop: String
    public var direction: TransferDirection
    public var remotePath: String
    /// The folder on this device, and the name in it.
    public var localFolder: String
    public var localName: Data
    public var size: Int64
    /// The desktop's word for the version of its file: parts of another one are of no use.
    public var version: String?
    public var beganAt: Date
    /// On this disk for sure; of downloads only, the desktop knows it of uploads.
    package var received = ByteRanges()
    /// Of the partial file, once it is whole and right: tells after a crash whether it has its name already.
    public var inode: UInt64?

    var partName: [UInt8] { [UInt8(ascii: ".")] + localName.prefix(190) + Array(".tandem-part-\(id)".utf8) }
}
