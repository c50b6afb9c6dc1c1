/// The reason why a client checks whether its connection still works.
enum ConnectionDoubt: Hashable, Sendable {
    /// No answer came over the connection in time. It may only be slow.
    case silence
    /// The other end is reached another way. A new connection delivers sooner than this one, whatever the server's system
    /// acknowledges.
    case overtaken
}
