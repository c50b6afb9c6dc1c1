/// Categories by their parents.
struct CategoryTree {
    private let byID: [String: JournalCategory]
    private let children: [String?: [JournalCategory]]

    /// - Parameter categories: In the order in which they stand beside each other.
    init(_ categories: [JournalCategory]) {
        byID = Dictionary(categories.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
        children = Dictionary(grouping: categories, by: \.parentId)
    }

    subscript(id: String) -> JournalCategory? { byID[id] }

    /// All of them, each before what is inside of it.
    var inOrder: [JournalCategory] {
        var (result, open) = ([JournalCategory](), Array((children[nil] ?? []).reversed()))
        while let next = open.popLast() {
            result.append(next)
            open += (children[next.id] ?? []).reversed()
        }
        return result
    }

    /// The names from the top down.
    func path(of id: String) -> [String] {
        var (names, next) = ([String](), byID[id])
        while let category = next, names.count < JournalLimits.depth {
            names.append(category.name)
            next = category.parentId.flatMap { byID[$0] }
        }
        return names.reversed()
    }

    /// The category itself and all below it.
    func branch(of id: String) -> [String] {
        var (result, open) = ([String](), [id])
        while let next = open.popLast() {
            result.append(next)
            open += (children[next] ?? []).map(\.id)
        }
        return result
    }

    func hasParts(_ id: String) -> Bool { children[id]?.isEmpty == false }

    /// A category of this name beside others of one parent. Capital and small letters are the same.
    func find(_ name: String, under parent: String?) -> JournalCategory? {
        children[parent]?.first { $0.name.lowercased() == name.lowercased() }
    }

    /// Sets levels by parents.
    ///
    /// - Returns: How many levels were others before.
    /// - Throws: ``JournalError/unknownParent``, ``JournalError/categoryCycle``.
    static func levelled(_ categories: [JournalCategory]) throws(JournalError) -> (
        categories: [JournalCategory], changed: Int
    ) {
        let parents = Dictionary(categories.map { ($0.id, $0.parentId) }, uniquingKeysWith: { first, _ in first })
        var levels: [String: Int] = [:]
        for category in categories {
            var (path, next) = ([String](), Optional(category.id))
            while let id = next, levels[id] == nil {
                guard let parent = parents[id] else { throw .unknownParent }
                path.append(id)
                // A path that is longer than there are categories meets one of them twice.
                guard path.count <= min(parents.count, JournalLimits.depth) else { throw .categoryCycle }
                next = parent
            }
            var level = next.flatMap { levels[$0] } ?? 0
            for id in path.reversed() {
                level += 1
                levels[id] = level
            }
            guard level <= JournalLimits.depth else { throw .categoryCycle }
        }
        var changed = 0
        let levelled = categories.map { category in
            var category = category
            let level = levels[category.id] ?? 1
            if category.level != level { changed += 1 }
            category.level = level
            return category
        }
        return (levelled, changed)
    }
}
