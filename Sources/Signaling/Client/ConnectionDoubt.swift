/// Why a client asks whether its connection still works.
enum ConnectionDoubt: Hashable, Sendable {
    /// It carried no answer in time: it may only be slow.
    case silence
    /// The other end is reached another way: what this one still holds back comes later than over a new connection, whatever its
    /// system acknowledges.
    case overtaken
}
