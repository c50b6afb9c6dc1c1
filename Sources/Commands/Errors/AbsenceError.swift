/// An error that may say that the other device is away: then nothing was sent, and the same call may work later. What is under way
/// waits for it; a person who begins something is told.
public protocol AbsenceError: Error {
    /// Whether this error says so.
    var isAbsence: Bool { get }
}
