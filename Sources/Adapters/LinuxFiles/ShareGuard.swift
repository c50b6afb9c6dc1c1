import CLinux
import FilesHost
import Glibc
import Synchronization
import Transfers

/// The guard of places that are never part of a share, although they lie below a shared folder: state folders of Tandem, a home's entries
/// that begin with a dot, well-known secrets; and of places that are not for writing. Places are compared by device and inode, so that no
/// link, no rename and no other path leads around it; they are looked up anew for each change, and once a second for reading. While they
/// cannot be looked up, nothing is shared.
struct ShareGuard: Sendable {
    /// Folders up to the root of a file system; more is no path that a person made.
    private static let depthLimit = 2048
    /// The names that every state folder of a role holds.
    private static let stateMarks = [Array("tandem.sqlite".utf8), Array("keys".utf8)]

    enum Use { case read, write }

    /// State folders, as absolute paths; more are known by what is in them.
    let stateFolders: [String]
    /// Where people's dot entries lie: absolute paths.
    let homes: [String]
    let sharesHidden: Bool
    /// Folders with programs that are found by their names: absolute paths.
    let programFolders: [String]
    private let lookup: PlaceLookup
    private let lastLook = LastLook()

    init(
        stateFolders: [String],
        homes: [String],
        sharesHidden: Bool,
        programFolders: [String],
        lookup: PlaceLookup = PlaceLookup()
    ) {
        self.lookup = lookup
        self.stateFolders = stateFolders
        self.homes = homes
        self.sharesHidden = sharesHidden
        self.programFolders = programFolders
    }

    // MARK: Questions

    /// Looks at an open folder and everything above it, up to the shared folder.
    ///
    /// - Parameter folder: Below `root`, or `root` itself.
    /// - Throws: ``FileError/outside(_:)`` for what is not shared, ``FileError/startsPrograms(_:)`` for what is not for writing.
    func check(_ folder: Descriptor, below root: Descriptor, for use: Use, named text: String) throws(FileError) {
        let rootIdentity = try root.identity(named: text)
        let places = try places(for: use)
        var current = folder
        var child: InodeIdentity?
        for _ in 0..<Self.depthLimit {
            let identity = try current.identity(named: text)
            if isState(current, identity, places) { throw .outside(text) }
            // The shared folder itself may be one of these, since the person named it; a folder below it may not.
            let isRoot = identity == rootIdentity
            if !isRoot {
                if places.secrets.contains(identity) { throw .outside(text) }
                if places.guarded.contains(identity) { throw .startsPrograms(text) }
            }
            if !sharesHidden, let child, places.homes.contains(identity), try isHidden(child, in: current, named: text)
            {
                throw .outside(text)
            }
            if isRoot { return }
            child = identity
            let parent = try current.parent(named: text)
            // The root of all: the folder was moved out of the share meanwhile.
            guard try parent.identity(named: text) != identity else { throw .outside(text) }
            current = parent
        }
        throw .outside(text)
    }

    /// Looks at one name in a folder that was checked, whether or not it is there.
    ///
    /// - Parameter moves: The name itself goes, comes or is replaced, with everything below it.
    func check(
        _ name: [UInt8],
        in folder: Descriptor,
        for use: Use,
        moves: Bool = false,
        named text: String
    ) throws(FileError) {
        guard !name.isEmpty else { return }
        try check(name, in: folder, by: try look(at: folder, for: use, named: text), moves: moves, named: text)
    }

    /// Looks up the places that are not for their use, once for many names of one folder that are asked about in the same moment.
    func look(at folder: Descriptor, for use: Use, named text: String) throws(FileError) -> NameLook {
        NameLook(folder: try folder.identity(named: text), places: try places(for: use))
    }

    /// Like ``check(_:in:for:moves:named:)``, but with the places that were looked up a moment ago.
    func check(_ name: [UInt8], in folder: Descriptor, by look: NameLook, moves: Bool, named text: String)
        throws(FileError)
    {
        let (parent, places) = (look.folder, look.places)
        let entry = Entry(folder: parent, name: name)
        if !sharesHidden, name.first == UInt8(ascii: "."), places.homes.contains(parent) { throw .outside(text) }
        if places.secretEntries.contains(entry) { throw .outside(text) }
        if places.guardedEntries.contains(entry) { throw .startsPrograms(text) }
        if moves, places.waypoints.contains(entry) { throw .startsPrograms(text) }
        guard let identity = try folder.identity(of: name, named: text) else { return }
        if places.secrets.contains(identity) { throw .outside(text) }
        if let open = try self.entry(name, of: folder, named: text), isState(open, identity, places) {
            throw .outside(text)
        }
        if places.guarded.contains(identity) { throw .startsPrograms(text) }
        if moves, try stateWaypoints().contains(identity) { throw .outside(text) }
    }

    /// Nil for what went meanwhile, or is nothing that could be a state folder.
    private func entry(_ name: [UInt8], of folder: Descriptor, named text: String) throws(FileError) -> Descriptor? {
        do {
            return try folder.open(name, Int(TANDEM_OPEN_LOOK_AT_LINK), withoutLinks: true, named: text)
        } catch {
            // Not a word about the entry: the program has no descriptors left, or the disk does not answer.
            if case .system = error { throw error }
            return nil
        }
    }

    /// The names of a folder that may be seen.
    func visible(_ names: [FolderName], in folder: Descriptor, named text: String) throws(FileError) -> [FolderName] {
        let identity = try folder.identity(named: text)
        let places = try places(for: .read)
        let hidesDots = !sharesHidden && places.homes.contains(identity)
        let states = places.states
        return names.filter { name in
            if hidesDots, name.bytes.first == UInt8(ascii: ".") { return false }
            if places.secretEntries.contains(Entry(folder: identity, name: name.bytes)) { return false }
            // Only folders are state folders, and only where one lies is it worth a look at each.
            guard name.kind != .file, states.contains(where: { $0.device == identity.device }) else { return true }
            guard let entry = try? folder.identity(of: name.bytes, named: "") else { return true }
            return !states.contains(entry)
        }
    }

    /// Whether a folder may be shared at all: not one of Tandem's own, nor one inside of them.
    func mayShare(_ folder: Descriptor) throws(FileError) -> Bool {
        var current = folder
        for _ in 0..<Self.depthLimit {
            let identity = try current.identity(named: "")
            if isState(current, identity, try places(for: .read)) { return false }
            let parent = try current.parent(named: "")
            if try parent.identity(named: "") == identity { return true }
            current = parent
        }
        return false
    }

    // MARK: Places

    /// The places and the folder by which questions about names in it are answered.
    struct NameLook {
        fileprivate let folder: InodeIdentity
        fileprivate let places: Places
    }

    /// A name in a folder, there or not.
    fileprivate struct Entry: Hashable, Sendable {
        let folder: InodeIdentity
        let name: [UInt8]
    }

    fileprivate struct Places: Sendable {
        var states: Set<InodeIdentity> = []
        var homes: Set<InodeIdentity> = []
        var secrets: Set<InodeIdentity> = []
        var secretEntries: Set<Entry> = []
        /// Folders and files that are not for writing.
        var guarded: Set<InodeIdentity> = []
        var guardedEntries: Set<Entry> = []
        /// Names on the way to one of the above: what moves them moves that.
        var waypoints: Set<Entry> = []
    }

    /// The places found by the last lookup. A phone cannot make a secret, nor move one: that is looked up anew.
    private final class LastLook: Sendable {
        private static let lifetime = Duration.seconds(1)
        private let found = Mutex<(at: ContinuousClock.Instant, places: Places)?>(nil)

        func places(_ look: () throws(FileError) -> Places) throws(FileError) -> Places {
            let now = ContinuousClock.now
            if let (at, places) = found.withLock(\.self), now - at < Self.lifetime { return places }
            let places = try look()
            found.withLock { $0 = (now, places) }
            return places
        }
    }

    private func places(for use: Use) throws(FileError) -> Places {
        guard use == .read else { return try look(for: .write) }
        return try lastLook.places { () throws(FileError) in try look(for: .read) }
    }

    private func look(for use: Use) throws(FileError) -> Places {
        var places = Places()
        for path in stateFolders {
            if let identity = try lookup.identity(path) { places.states.insert(identity) }
        }
        for path in homes {
            guard let home = try lookup.descriptor(path) else { continue }
            places.homes.insert(try home.identity(named: path))
            for path in PrivatePlaces.secrets {
                let end = try walk(path, from: home, &places.waypoints)
                if let identity = end.identity { places.secrets.insert(identity) }
                if let entry = end.entry { places.secretEntries.insert(entry) }
            }
            guard use == .write else { continue }
            for path in PrivatePlaces.startFiles {
                let end = try walk(path, from: home, &places.waypoints)
                if let identity = end.identity { places.guarded.insert(identity) }
                if let entry = end.entry { places.guardedEntries.insert(entry) }
            }
        }
        if use == .write {
            for path in programFolders {
                if let identity = try lookup.identity(path) { places.guarded.insert(identity) }
            }
        }
        return places
    }

    /// Follows a path as a program of the person would, as far as it is there.
    private func walk(_ path: String, from home: Descriptor, _ waypoints: inout Set<Entry>) throws(FileError) -> (
        entry: Entry?, identity: InodeIdentity?
    ) {
        let names = path.split(separator: "/").map { Array($0.utf8) }
        var folder = home
        for (index, name) in names.enumerated() {
            let entry = Entry(folder: try folder.identity(named: path), name: name)
            let next = try lookup.descriptor(name, from: folder)
            if index == names.count - 1 { return (entry, try next?.identity(named: path)) }
            waypoints.insert(entry)
            guard let next else { return (nil, nil) }
            folder = next
        }
        return (nil, nil)
    }

    // MARK: State folders

    /// The state folders and all folders above them: moving or removing one would take the state folder along.
    private func stateWaypoints() throws(FileError) -> Set<InodeIdentity> {
        var waypoints: Set<InodeIdentity> = []
        for path in stateFolders {
            guard var current = try lookup.descriptor(path) else { continue }
            for _ in 0..<Self.depthLimit {
                guard waypoints.insert(try current.identity(named: path)).inserted else { break }
                guard let parent = try parent(of: current, named: path) else { break }
                current = parent
            }
        }
        return waypoints
    }

    /// Nil where this program may not look any further up, and therefore moves nothing either.
    private func parent(of folder: Descriptor, named text: String) throws(FileError) -> Descriptor? {
        do {
            return try folder.parent(named: text)
        } catch {
            if case .denied = error { return nil }
            throw error
        }
    }

    private func isState(_ folder: Descriptor, _ identity: InodeIdentity, _ places: Places) -> Bool {
        // The path of a role that runs elsewhere is not known, but every state folder holds these.
        if Self.stateMarks.allSatisfy({ (try? folder.identity(of: $0, named: "")) ?? nil != nil }) { return true }
        return places.states.contains(identity)
    }

    // MARK: Homes

    /// Whether a home's entry that begins with a dot is this one.
    private func isHidden(_ entry: InodeIdentity, in home: Descriptor, named text: String) throws(FileError) -> Bool {
        let open = try home.open([], Int(TANDEM_OPEN_FOLDER), named: text)
        for name in try LinuxFolder.names(in: open, limit: 200_000, named: text)
        where name.bytes.first == UInt8(ascii: ".") {
            if try home.identity(of: name.bytes, named: text) == entry { return true }
        }
        return false
    }
}
