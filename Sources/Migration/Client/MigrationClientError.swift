/// Why a move did not begin, or went no further. The description is shown to the person: what happened, then what to do.
package enum MigrationClientError: Error, Hashable, Sendable {
    /// Another move is under way on this phone.
    case busy
    /// Nothing is under way that could be asked this.
    case nothingUnderWay
    /// This phone's state is in memory, or it has no journal.
    case notMovable
    /// The phone did not end its sessions in time.
    case doesNotRest
    case fileExists(path: String)
    case cannotRead(path: String)
    case cannotWrite(path: String)
    /// What is replaced is gone, or nothing was.
    case nothingToUndo
    /// The program is inside another one, or the system did not say how it is started.
    case cannotStartAgain
    /// Nothing waits for a start of the program.
    case nothingToStart
    /// Nothing was restored that could be put into place.
    case nothingReady
    /// The package was begun in an earlier run and its data has changed since.
    case beginAnew
    /// The other phone could not use the data; its word for the reason.
    case notRestoredThere(code: String)
    /// What was put into the state folder at the start of the program failed; the sentence of the reason.
    case notPutIntoPlace(reason: String)
}
