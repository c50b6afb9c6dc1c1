package import Kernel

/// The version of a journal's records. Only this number decides whether a journal can be read; an app's version is for people.
package enum JournalSchema {
    /// The version that this program writes.
    package static let version: Int64 = 1
    /// The oldest version that this program reads.
    package static let oldest: Int64 = 1

    /// - Parameter stated: What each place says that states the version: the handshake, the package's description, its manifest.
    /// - Throws: ``JournalError/schemaUnclear`` where they do not agree, ``JournalError/needsUpdate(theirs:ours:)``.
    package static func agreed(_ stated: [JSONValue]) throws(JournalError) -> Int64 {
        let versions = stated.map(\.integerValue)
        guard let first = versions.first, let version = first, versions.allSatisfy({ $0 == version }),
            version >= oldest
        else { throw .schemaUnclear }
        guard version <= Self.version else { throw .needsUpdate(theirs: version, ours: Self.version) }
        return version
    }
}
