package import Control
package import Foundation
import Kernel

/// What the journal answers on a phone's control socket.
package struct JournalRoutes: Sendable {
    let repository: JournalRepository
    /// Where archives are unpacked.
    let folder: URL

    /// - Parameter folder: Where archives are unpacked.
    package init(repository: JournalRepository, folder: URL) {
        self.repository = repository
        self.folder = folder
    }

    package var all: [ControlRoute] { stories + categories + media + settings + inAndOut }

    // MARK: Stories

    private var stories: [ControlRoute] {
        [
            ControlRoute(JournalControl.list) { [repository] list in
                var query = try Self.query(before: list.before, limit: list.limit)
                (query.from, query.until, query.isRemoved) = (list.from, list.until, list.deleted ?? false)
                return Self.answer(try await repository.list(query, in: list.category), query)
            },
            ControlRoute(JournalControl.search) { [repository] search in
                var query = try Self.query(before: search.before, limit: search.limit)
                guard search.words.utf8.count <= 16 << 10 else { throw JournalError.tooLong("search", limit: 16 << 10) }
                query.words = search.words
                return Self.answer(try await repository.list(query, in: search.category), query)
            },
            ControlRoute(JournalControl.show) { [repository] choice in
                Self.answer(try await repository.detail(choice.id))
            },
            ControlRoute(JournalControl.add) { [repository] draft in
                Self.answer(try await repository.add(try Self.draft(draft)))
            },
            ControlRoute(JournalControl.edit) { [repository] edit in
                Self.answer(try await repository.edit(edit.id, try Self.draft(edit.change)))
            },
            ControlRoute(JournalControl.delete) { [repository] choice in
                Self.answer(try await repository.setRemoved(choice.id, true))
            },
            ControlRoute(JournalControl.restore) { [repository] choice in
                Self.answer(try await repository.setRemoved(choice.id, false))
            },
            ControlRoute(JournalControl.purge) { [repository] choice in
                // No story was changed after the end of time.
                let count =
                    if let id = choice.id { try await repository.purge(id) } else {
                        try await repository.purge(deletedBefore: .max)
                    }
                return JournalControl.Purged(stories: count)
            },
        ]
    }

    private static func query(before: String?, limit: Int?) throws -> StoryQuery {
        var query = StoryQuery()
        if let before {
            guard let place = StoryQuery.Place(before) else { throw JournalError.badRequest("before") }
            query.before = place
        }
        query.limit = min(max(limit ?? 50, 1), JournalLimits.page)
        return query
    }

    private static func draft(_ draft: JournalControl.Draft) throws -> StoryDraft {
        var result = StoryDraft(
            title: draft.title,
            content: draft.content,
            happenedAt: draft.timestamp,
            mood: draft.mood,
            locationName: draft.location,
            categories: draft.categories
        )
        switch (draft.latitude, draft.longitude) {
        case (nil, nil): break
        case (let latitude?, let longitude?) where abs(latitude) <= 90 && abs(longitude) <= 180:
            // Typed, not measured: exact.
            result.place = StoryPlace(latitude: latitude, longitude: longitude, horizontalAccuracy: 0)
        default: throw JournalError.badRequest("latitude and longitude")
        }
        return result
    }

    private static func answer(
        _ found: (stories: [JournalReading.Listed], tree: CategoryTree),
        _ query: StoryQuery
    ) -> JournalControl.Stories {
        let last = found.stories.count == query.limit ? found.stories.last : nil
        return JournalControl.Stories(
            stories: found.stories.map { entry($0, found.tree) },
            next: last.map { StoryQuery.Place(happenedAt: $0.story.happenedAt, number: $0.number).text }
        )
    }

    private static func entry(_ listed: JournalReading.Listed, _ tree: CategoryTree) -> JournalControl.StoryEntry {
        let story = listed.story
        let plain = story.plainText ?? ""
        return JournalControl.StoryEntry(
            id: story.id,
            title: story.title ?? MarkdownText.title(plain, limit: 80),
            excerpt: listed.found ?? plain.prefix(200).split(whereSeparator: \.isNewline).joined(separator: " "),
            timestamp: story.happenedAt,
            updatedAt: story.updatedAt,
            mood: story.mood,
            location: story.locationName,
            categories: listed.categories.map { tree.path(of: $0).joined(separator: "/") }.sorted(),
            media: listed.media,
            isDeleted: story.isRemoved
        )
    }

    private static func answer(_ detail: JournalRepository.Detail) -> JournalControl.Story {
        let story = detail.story
        let content = story.content ?? ""
        let isCut = content.utf8.count > JournalLimits.shown
        return JournalControl.Story(
            id: story.id,
            title: story.title,
            content: isCut ? String(decoding: content.utf8.prefix(JournalLimits.shown), as: UTF8.self) : content,
            isCut: isCut,
            timestamp: story.happenedAt,
            createdAt: story.createdAt,
            updatedAt: story.updatedAt,
            mood: story.mood,
            location: story.locationName,
            latitude: story.place?.latitude,
            longitude: story.place?.longitude,
            categories: detail.categories.map {
                JournalControl.CategoryName(id: $0, path: detail.tree.path(of: $0).joined(separator: "/"))
            },
            media: detail.media.map(entry),
            isDeleted: story.isRemoved
        )
    }

    static func entry(_ medium: Medium) -> JournalControl.Medium {
        JournalControl.Medium(
            id: medium.id,
            type: medium.kind.rawValue,
            fileName: medium.fileName,
            fileSize: medium.fileSize,
            width: medium.width,
            height: medium.height,
            duration: medium.duration,
            createdAt: medium.createdAt,
            hasThumbnail: medium.thumbnailPath != nil,
            broken: medium.broken?.rawValue
        )
    }

    // MARK: Categories

    private var categories: [ControlRoute] {
        [
            ControlRoute(JournalControl.categories) { [repository] _ in
                let (tree, stories) = try await repository.categories()
                return JournalControl.Categories(
                    categories: tree.inOrder.map { Self.entry($0, tree, stories[$0.id] ?? 0) }
                )
            },
            ControlRoute(JournalControl.addCategory) { [repository] new in
                let made = try await repository.addCategory(
                    new.name,
                    under: new.parent,
                    color: try Self.color(new.color),
                    icon: new.icon.map { String($0.prefix(64)) }
                )
                return try await entry(made)
            },
            ControlRoute(JournalControl.editCategory) { [repository] change in
                let changed = try await repository.editCategory(
                    change.category,
                    name: change.name,
                    parent: change.parent,
                    color: try Self.color(change.color),
                    sortOrder: change.sortOrder
                )
                return try await entry(changed)
            },
            ControlRoute(JournalControl.deleteCategory) { [repository] choice in
                Self.entry(try await repository.removeCategory(choice.category), CategoryTree([]), 0)
            },
        ]
    }

    private func entry(_ category: JournalCategory) async throws -> JournalControl.CategoryEntry {
        let (tree, stories) = try await repository.categories()
        return Self.entry(category, tree, stories[category.id] ?? 0)
    }

    private static func entry(
        _ category: JournalCategory,
        _ tree: CategoryTree,
        _ stories: Int
    ) -> JournalControl.CategoryEntry {
        let path = tree.path(of: category.id)
        return JournalControl.CategoryEntry(
            id: category.id,
            name: category.name,
            path: path.isEmpty ? category.name : path.joined(separator: "/"),
            level: category.level,
            parent: category.parentId,
            color: category.colorHex,
            icon: category.iconName,
            sortOrder: category.sortOrder,
            stories: stories
        )
    }

    private static func color(_ text: String?) throws -> String? {
        guard let text else { return nil }
        guard text.utf8.count == 7, text.first == "#", Hexadecimal.decode(text.dropFirst().lowercased()) != nil else {
            throw JournalError.badRequest("color")
        }
        return text.uppercased()
    }

    // MARK: Media and settings

    private var media: [ControlRoute] {
        [
            ControlRoute(JournalControl.attach) { [repository] attachment in
                try Self.checkPath(attachment.path)
                return Self.entry(try await repository.attach(attachment.path, to: attachment.id))
            },
            ControlRoute(JournalControl.save) { [repository] saving in
                try Self.checkPath(saving.path)
                let medium = try await repository.save(
                    saving.medium,
                    thumbnail: saving.thumbnail ?? false,
                    to: saving.path
                )
                return JournalControl.Saved(path: saving.path, type: medium.kind.rawValue)
            },
        ]
    }

    private var settings: [ControlRoute] {
        [
            ControlRoute(JournalControl.settings) { [repository] _ in
                JournalControl.Settings(settings: try await repository.settings().map(Self.entry))
            },
            ControlRoute(JournalControl.set) { [repository] setting in
                guard ["bool", "int", "string", "json"].contains(setting.type) else {
                    throw JournalError.badSetting(type: String(setting.type.prefix(64)))
                }
                return Self.entry(try await repository.set(setting.key, type: setting.type, value: setting.value))
            },
        ]
    }

    private static func entry(_ setting: JournalSetting) -> JournalControl.Setting {
        JournalControl.Setting(key: setting.key, type: setting.type, value: setting.value)
    }

    /// The phone's own folder is not the asker's: a path says where it begins.
    private static func checkPath(_ path: String) throws {
        guard path.hasPrefix("/") else { throw JournalError.badRequest("path") }
    }

    // MARK: In and out

    private var inAndOut: [ControlRoute] {
        [
            ControlRoute(JournalControl.importing) { [repository, folder] asked in
                try Self.checkPath(asked.path)
                let format = asked.format.map { ImportFormat(rawValue: $0) }
                if let format, format == nil { throw JournalError.badRequest("format") }
                let report = try await ImportRun(repository: repository, folder: folder).run(
                    asked.path,
                    as: format ?? nil
                )
                return JournalControl.Imported(
                    format: report.format.rawValue,
                    added: report.added,
                    updated: report.updated,
                    unchanged: report.unchanged,
                    addedMedia: report.addedMedia,
                    unchangedMedia: report.unchangedMedia,
                    problems: report.problems.map { JournalControl.Problem(item: $0.item, reason: $0.reason) },
                    problemCount: report.problemCount
                )
            },
            ControlRoute(JournalControl.exporting) { [repository] asked in
                try Self.checkPath(asked.folder)
                let report = try await PlainExport(repository: repository).write(to: asked.folder)
                return JournalControl.Exported(
                    folder: report.folder,
                    stories: report.stories,
                    media: report.media,
                    broken: report.broken.map { broken in
                        JournalControl.Broken(
                            medium: broken.mediaId,
                            fileName: broken.fileName,
                            reason: broken.reason.rawValue,
                            story: broken.storyId
                        )
                    }
                )
            },
        ]
    }
}
