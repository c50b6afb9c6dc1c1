package import Generations
package import Kernel
package import MigrationContainer

/// Builds the database of a generation, and tries its media. The journal's store does it; this module knows of a database only that it is one
/// file. Calls block.
package protocol DatabaseBuilding: Sendable {
    /// Begins the database of a generation that has none.
    ///
    /// - Parameter files: The disk of the generation's paths, and their addresses (``FileSystemPort/url(of:)``).
    func begin(_ generation: Generation, files: any FileSystemPort) throws -> any DatabaseBuild

    /// Opens a part of each medium, to prove that the key fits.
    ///
    /// - Returns: How many open and how many do not.
    func probe(_ generation: Generation, files: any FileSystemPort, key: MasterKey) throws -> MediaProbe
}

/// A database that is being built, by one thread.
package protocol DatabaseBuild: AnyObject {
    /// Takes the next record, in the order of ``MigrationEntity``.
    ///
    /// - Throws: What is wrong with it, in a sentence for the person.
    func add(_ record: JSONValue, of entity: MigrationEntity) throws

    /// Takes the next record as its text, which may be no JSON.
    ///
    /// - Throws: `ContainerError.malformedRecords` for that, else as ``add(_:of:)``.
    func add(text: [UInt8], of entity: MigrationEntity) throws

    /// Looks for the files of all media, has the database check itself, and closes it: its one file holds everything.
    func finish(key: MasterKey) throws -> DatabaseOutcome
}

/// A database that is built of values has them made of the text.
extension DatabaseBuild {
    package func add(text: [UInt8], of entity: MigrationEntity) throws {
        guard let record = try? JSONValue(parsing: text) else { throw ContainerError.malformedRecords(entity.path) }
        try add(record, of: entity)
    }
}

/// What a database holds.
package struct DatabaseOutcome: Hashable, Sendable {
    package var counts: [MigrationEntity: Int]
    /// Records that were not taken over, for a reason.
    package var leftOut: [MigrationEntity: Int]
    /// Media whose file did not come; a list of the first, and how many there are.
    package var lost: [LostMedium]
    package var lostCount: Int
    /// Paths below the folder of media that no record names; the first, and how many there are.
    package var orphans: [String]
    package var orphanCount: Int

    package init(
        counts: [MigrationEntity: Int],
        leftOut: [MigrationEntity: Int] = [:],
        lost: [LostMedium] = [],
        lostCount: Int = 0,
        orphans: [String] = [],
        orphanCount: Int = 0
    ) {
        self.counts = counts
        self.leftOut = leftOut
        self.lost = lost
        self.lostCount = lostCount
        self.orphans = orphans
        self.orphanCount = orphanCount
    }
}

/// How many media opened with a key.
package struct MediaProbe: Hashable, Sendable {
    package let opened: Int
    package let failed: Int

    /// One medium can be damaged on the old phone. Where several do not open and none does, it is the key.
    package var isKeyWrong: Bool { opened == 0 && failed > 1 }

    package init(opened: Int, failed: Int) {
        self.opened = opened
        self.failed = failed
    }
}
