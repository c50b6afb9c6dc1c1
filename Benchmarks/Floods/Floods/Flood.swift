/// One thing that strangers do to a server, over and over.
protocol Flood: AnyObject {
    /// What the table counts, in the plural: connections, frames, registrations.
    var unit: String { get }
    /// Units done so far.
    var done: Int { get }
    /// Units in all; the time may be over earlier.
    var goal: Int { get }
    /// Units a second to begin with; the pace is corrected from there.
    var firstRate: Double { get }
    /// Memory that the server may take on meanwhile, in bytes.
    var memoryBound: Int { get }

    /// What the database may grow by, in bytes: docs/protocol.md says what stays on disk.
    func diskBound(for sources: Sources) -> Int

    /// Does at most that many units more.
    func advance(_ crowd: Crowd, by budget: Int) throws

    func react(_ crowd: Crowd, _ stranger: Stranger, _ event: Stranger.Event) throws

    /// Once the strangers are gone: what only this flood has to show.
    ///
    /// - Parameter seconds: How long it took.
    func figures(from crowd: Crowd, seconds: Double) throws -> [Figure]
}

extension Flood {
    /// What the allocator keeps and sockets need, beyond what docs/protocol.md states.
    static var room: Int { 32 << 20 }
    /// What SQLite's log and the pages of a table that grows take.
    static var diskRoom: Int { 8 << 20 }
    var goal: Int { .max }
    var memoryBound: Int { Self.room }
    var firstRate: Double { 500 }
    func diskBound(for sources: Sources) -> Int { Self.diskRoom }
    func figures(from crowd: Crowd, seconds: Double) throws -> [Figure] { [] }
}
