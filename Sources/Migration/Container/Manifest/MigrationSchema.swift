/// The versions of the records' shape. What the records of each mean is in `docs/protocol.md` 2.13.
public enum MigrationSchema {
    /// What this program writes.
    public static let current = 1
    /// The oldest that it reads.
    public static let minimum = 1

    /// - Throws: ``ContainerError/needsAppUpdate(theirs:ours:)``, ``ContainerError/schemaTooOld(theirs:minimum:)``.
    public static func check(_ version: Int) throws(ContainerError) {
        guard version <= current else { throw .needsAppUpdate(theirs: version, ours: current) }
        guard version >= minimum else { throw .schemaTooOld(theirs: version, minimum: minimum) }
    }
}
