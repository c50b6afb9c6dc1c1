public import Foundation
public import Transfers

/// The phone's record of a transfer, so that it goes on after a crash on either side.
public struct TransferRecord: Hashable, Sendable, Codable {
    /// 32 hexadecimal digits.
    public var id: String
    /// The computer's id.
    public var desktop: String
    /// Seen from the phone.
    public var direction: TransferDirection
    /// The file's path on the computer; of an upload, where it will be.
    public var remotePath: String
    /// The folder's path on this device.
    public var localFolder: String
    /// The file's name in ``localFolder``: any bytes but `/` and NUL.
    public var localName: Data
    /// The whole file's size in bytes.
    public var size: Int64
    /// The sender's word for the version of its file: parts of another one are of no use. Nil where the computer said none.
    public var version: String?
    /// When it was first begun, by this device's clock.
    public var beganAt: Date
    /// The ranges on this disk for sure; of downloads only, the desktop knows them of uploads.
    package var received = ByteRanges()
    /// The inode of the partial file, once it is whole and right: tells after a crash whether it has its name already.
    public var inode: UInt64?

    /// The path on this device.
    var localFile: String {
        (localFolder.hasSuffix("/") ? localFolder : localFolder + "/") + FileNameText.text(Array(localName))
    }

    var partName: [UInt8] { PartName.make(localName, id: id) }
}
