package import Foundation

/// Puts a staged state into the place of a phone's, and the phone's into a folder from which it can be put back. It runs before the role opens its
/// state, once the pointer to the generation is written: that pointer is the commit, and this only follows it. It may end at any call and is
/// begun again at the next start, until nothing is left to do.
///
/// Each name goes in two renames: the old one out, the new one in. A name is done once it is in `incoming` no more. Where there was no old one, a
/// marker goes out in its place, `NAME.absent`, so that undoing takes the new one away again. Undoing is the same call with the two folders
/// exchanged, also where the first was cut short.
package struct StateSwap {
    private let state: URL
    private let incoming: URL
    private let outgoing: URL
    private let files: any SwapFiles

    /// - Parameters:
    ///   - state: The phone's state folder, which no process has open.
    ///   - incoming: The staged state; without a plan in it there is nothing to do.
    ///   - outgoing: Where what is replaced goes.
    package init(state: URL, incoming: URL, outgoing: URL, files: any SwapFiles = SystemSwapFiles()) {
        self.state = state
        self.incoming = incoming
        self.outgoing = outgoing
        self.files = files
    }

    /// - Returns: Whether anything was left to do.
    /// - Throws: ``SectionError/inTheWay(name:)`` where two copies lie where one may be, which no crash of this leads to; what the disk says.
    @discardableResult
    package func perform() throws -> Bool {
        guard let plan = try files.plan(in: incoming) else { return false }
        let waiting = try plan.names.filter { name in
            try files.exists(incoming.appending(path: name)) || files.exists(Self.marker(of: name, in: incoming))
        }
        guard !waiting.isEmpty else { return false }
        try files.makeFolder(outgoing)
        // First, so that a state that is half put away can be put back.
        try files.write(plan, to: outgoing)
        for name in waiting { try exchange(name) }
        return true
    }

    private static func marker(of name: String, in folder: URL) -> URL { folder.appending(path: name + ".absent") }

    private func exchange(_ name: String) throws {
        let (new, place, old) = (
            incoming.appending(path: name), state.appending(path: name), outgoing.appending(path: name)
        )
        for url in [place, old] { try files.makeFolder(url.deletingLastPathComponent()) }
        if name.hasSuffix(".sqlite") { try files.fold(place) }
        let isNew = try files.exists(new)
        if try files.exists(place) {
            guard try !files.exists(old) else { throw SectionError.inTheWay(name: name) }
            try files.move(place, to: old)
            try files.sync(old.deletingLastPathComponent())
            try files.sync(place.deletingLastPathComponent())
        } else if isNew, try !files.exists(old) {
            try files.mark(Self.marker(of: name, in: outgoing))
        }
        if isNew {
            try files.move(new, to: place)
            try files.sync(place.deletingLastPathComponent())
        } else {
            try files.unmark(Self.marker(of: name, in: incoming))
        }
        try files.sync(new.deletingLastPathComponent())
    }
}
