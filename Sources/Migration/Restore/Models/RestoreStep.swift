/// What a restore does after everything came, for a progress line.
package enum RestoreStep: Hashable, Sendable {
    case checkingFiles
    case buildingDatabase
    case preparingSections
    case tryingKey
    case writingToDisk
}
