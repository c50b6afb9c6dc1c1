/// Reads `/proc/self/mounts`.
enum MountTable {
    struct Mount: Hashable, Sendable {
        var device: String
        var point: String
        var kind: String
    }

    private static let limit = 32

    /// The mounts on disks of this computer, each disk once, the one with the system on it first. Others' disks are left
    /// out: asking for their space may never end.
    static func disks(_ text: String) -> [Mount] {
        var root: Mount?
        var others: [Mount] = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").prefix(3).map(unescaped)
            guard words.count == 3 else { continue }
            let mount = Mount(device: words[0], point: words[1], kind: words[2])
            if mount.point == "/" {
                root = mount  // the last one is what is seen
            } else if isDisk(mount) {
                others.append(mount)
            }
        }
        var devices: Set<String> = []
        return ([root].compactMap(\.self) + others).filter { devices.insert($0.device).inserted }.prefix(limit).map(
            \.self
        )
    }

    private static func isDisk(_ mount: Mount) -> Bool {
        // A loop device is a package's picture of a disk, always full.
        if mount.device.hasPrefix("/dev/") { return !mount.device.hasPrefix("/dev/loop") }
        return mount.kind == "zfs" || mount.kind == "bcachefs"
    }

    /// Space, tab, line feed and backslash are written as three octal digits.
    private static func unescaped(_ word: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(word.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "\\"), rest.count >= 3,
                let code = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8)
            {
                bytes.append(code)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
