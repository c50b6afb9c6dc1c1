/// A responder's notice about a session it cannot go on with. Not authenticated, so only a hint.
/// Source: `docs/protocol.md` 2.4.
public enum SessionNotice: String, Hashable, Sendable {
    case unknownSession = "unknown-session"
    case noResumption = "no-resumption"
}
