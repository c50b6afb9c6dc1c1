package import Foundation

/// Puts a staged state into the place of a phone's, and the phone's into a folder from which it can be put back. The commit is a pointer that
/// somebody else writes. ``prepare()`` goes before it and makes all that takes room on the disk; ``perform()`` goes after it, before the role opens
/// its state, and only renames and removes. It may end at any call and is begun again at the next start, until nothing is left to do.
///
/// Each name goes in two renames: the old one out, the new one in. A name is done once it is in `incoming` no more. Where there was no old one, a
/// marker lies in its place, `NAME.absent`, so that undoing takes the new one away again. Undoing is the same two calls with the two folders
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

    /// Makes what ``perform()`` would need room for: the plan by which it can be undone, folders, markers, and databases without a log. Nothing of
    /// the state is moved, so what an earlier attempt prepared for a commit that never came does no harm. No process may open the state between
    /// this and the end of ``perform()``.
    ///
    /// - Throws: ``SectionError/inTheWay(name:)`` where something that was replaced earlier lies in `outgoing`; what the disk says.
    package func prepare() throws {
        guard let plan = try files.plan(in: incoming) else { return }
        for name in plan.names where try files.exists(outgoing.appending(path: name)) {
            throw SectionError.inTheWay(name: name)
        }
        try files.makeFolder(outgoing)
        try files.write(plan, to: outgoing)
        for name in plan.names {
            let place = state.appending(path: name)
            try makeFolders(of: name)
            if name.hasSuffix(".sqlite") { try files.fold(place) }
            let marker = Self.marker(of: name, in: outgoing)
            if try files.exists(place) { try files.unmark(marker) } else { try files.mark(marker) }
        }
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
        // Before the first rename, so that a state that is half put away can be put back.
        if try files.plan(in: outgoing) != plan { try files.write(plan, to: outgoing) }
        for name in waiting { try exchange(name) }
        return true
    }

    private static func marker(of name: String, in folder: URL) -> URL { folder.appending(path: name + ".absent") }

    private func makeFolders(of name: String) throws {
        for folder in [state, outgoing] {
            try files.makeFolder(folder.appending(path: name).deletingLastPathComponent())
        }
    }

    private func exchange(_ name: String) throws {
        let (new, place, old) = (
            incoming.appending(path: name), state.appending(path: name), outgoing.appending(path: name)
        )
        try makeFolders(of: name)
        if name.hasSuffix(".sqlite") { try files.fold(place) }
        let isNew = try files.exists(new)
        if try files.exists(place) {
            guard try !files.exists(old) else { throw SectionError.inTheWay(name: name) }
            try files.move(place, to: old)
        }
        // A name is in a folder or marked as absent there, never both: with both, undoing would take away what it just put back.
        let absent = Self.marker(of: name, in: outgoing)
        if try files.exists(old) { try files.unmark(absent) } else if isNew { try files.mark(absent) }
        try files.sync(old.deletingLastPathComponent())
        try files.sync(place.deletingLastPathComponent())
        try files.unmark(Self.marker(of: name, in: incoming))
        if isNew {
            try files.move(new, to: place)
            try files.sync(place.deletingLastPathComponent())
        }
        try files.sync(new.deletingLastPathComponent())
    }
}
