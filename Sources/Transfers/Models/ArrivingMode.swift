/// The permissions of files and folders that come from another device: those of the source, of which the mask of this device's person
/// takes from everybody but the owner. FAT and NTFS say 0777 of everything, and nobody here asked to let every account write to it.
package enum ArrivingMode {
    /// The mask where none is known: what systems begin with.
    package static let usualMask: UInt32 = 0o022

    /// - Parameters:
    ///   - permissions: The source's POSIX mode, of which 0o777 are taken: set-user-id and its kind are not for a peer to set. Nil: 0o666.
    ///   - mask: A umask.
    package static func file(_ permissions: UInt32?, mask: UInt32) -> UInt32 {
        let wanted = (permissions ?? 0o666) & 0o777
        return wanted & 0o700 | wanted & 0o077 & ~mask
    }

    /// Like ``file(_:mask:)``; nil is 0o777. The owner may always do everything in it, or nothing could arrive there.
    package static func folder(_ permissions: UInt32?, mask: UInt32) -> UInt32 {
        file(permissions ?? 0o777, mask: mask) | 0o700
    }
}
