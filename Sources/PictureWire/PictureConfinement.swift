/// What keeps the picture program in. Each bit is one the kernel has confirmed.
package struct PictureConfinement: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Bounds on memory, processor time and new descriptors, and files of no length.
    package static let limits = PictureConfinement(rawValue: 1)
    /// Landlock: it writes no file and reaches no TCP port.
    package static let landlock = PictureConfinement(rawValue: 2)
    /// seccomp: no system call beyond memory, time and the streams it has.
    package static let systemCalls = PictureConfinement(rawValue: 4)
}
