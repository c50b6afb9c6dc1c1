package import Foundation

/// Whether a master key opens a generation's media: the last segment of each file is opened, which also shows that nothing is missing before it.
package struct MediaProof: Hashable, Sendable {
    /// Files that the key opens.
    package private(set) var opened = 0
    /// Files in a form that this program does not write, of which nothing is proved.
    package private(set) var unknown = 0
    /// Files of this program's form that the key does not open. At most ``JournalLimits/problems`` of ``damagedCount``.
    package private(set) var damaged: [BrokenMedium] = []
    package private(set) var damagedCount = 0

    /// Whether the key is another journal's: it opens none of several files.
    package var isKeyWrong: Bool { opened == 0 && damagedCount > 1 }

    /// Files that are not there are no part of it: ``BuildReport/broken`` names them. Waits for the disk.
    ///
    /// - Parameter generation: A folder with a database that nobody has open.
    package init(of generation: URL, _ vault: MediaVault) throws {
        let store = try JournalStore(generation: generation)
        var media: [Medium] = []
        try store.writeHere { writing in
            try writing.reading.forEach(.media) { if let medium = $0 as? Medium { media.append(medium) } }
        }
        try store.close()
        for medium in media {
            for path in [medium.path, medium.thumbnailPath].compactMap(\.self) {
                do {
                    try vault.reader(path, keyId: medium.keyId).check()
                    opened += 1
                } catch .mediumUnknown {
                    unknown += 1
                } catch .mediumMissing {
                    continue
                } catch {
                    damagedCount += 1
                    guard damaged.count < JournalLimits.problems else { continue }
                    damaged.append(BrokenMedium(medium, path.fileName, .readError))
                }
            }
        }
    }
}
