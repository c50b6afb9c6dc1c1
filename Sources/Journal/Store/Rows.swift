import Foundation
import GRDB
import Kernel
import Storage

// The columns of each model in one order, for reading and for writing. Rows are read by places and not by names: a name costs a look into a
// dictionary for each of eighteen columns of each story.

/// The stored form of records' unknown members.
enum StoredExtra {
    static func text(_ extra: [String: JSONValue]) -> String? {
        extra.isEmpty ? nil : JSONValue.object(extra).canonicalText
    }

    static func members(_ text: String?) throws -> [String: JSONValue] {
        guard let text else { return [:] }
        guard let members = try? JSONValue(parsing: text.utf8).objectValue else { throw StorageError.damaged }
        return members
    }
}

extension JournalCategory {
    static let columns =
        "id, name, nameEn, colorHex, level, parent, iconName, iconType, customIcon, sortOrder, createdAt, extra"

    init(_ row: Row) throws {
        self.init(
            id: row[0],
            name: row[1],
            nameEn: row[2],
            colorHex: row[3],
            level: row[4],
            parentId: row[5],
            iconName: row[6],
            iconType: row[7],
            customIcon: (row[8] as Data?).map { Array($0) },
            sortOrder: row[9],
            createdAt: row[10],
            extra: try StoredExtra.members(row[11])
        )
    }

    var columnValues: [(any DatabaseValueConvertible)?] {
        [
            id, name, nameEn, colorHex, level, parentId, iconName, iconType, customIcon.map { Data($0) }, sortOrder,
            createdAt, StoredExtra.text(extra),
        ]
    }
}

extension Story {
    /// Without the number, which the table gives.
    static let columns = """
        id, title, content, plainText, createdAt, updatedAt, happenedAt, isRemoved, syncStatus, mood, locationName, \
        locationAddress, locationCity, latitude, longitude, horizontalAccuracy, verticalAccuracy, extra
        """
    /// Behind ``columns`` where a number is asked for, too.
    static let numberColumn = 18

    private static let unsyncedText = unsynced.canonicalText

    init(_ row: Row) throws {
        var place: StoryPlace?
        if let latitude = row[13] as Double?, let longitude = row[14] as Double? {
            place = StoryPlace(
                latitude: latitude,
                longitude: longitude,
                horizontalAccuracy: row[15] ?? -1,
                verticalAccuracy: row[16] ?? -1
            )
        }
        self.init(
            id: row[0],
            title: row[1],
            content: row[2],
            plainText: row[3],
            createdAt: row[4],
            updatedAt: row[5],
            happenedAt: row[6],
            isRemoved: row[7],
            syncStatus: try Self.status(row[8]),
            mood: row[9],
            locationName: row[10],
            locationAddress: row[11],
            locationCity: row[12],
            place: place,
            extra: try StoredExtra.members(row[17])
        )
    }

    private static func status(_ text: String) throws -> JSONValue {
        if text == unsyncedText { return unsynced }
        guard let status = try? JSONValue(parsing: text.utf8) else { throw StorageError.damaged }
        return status
    }

    var columnValues: [(any DatabaseValueConvertible)?] {
        [
            id, title, content, plainText, createdAt, updatedAt, happenedAt, isRemoved,
            syncStatus == Self.unsynced ? Self.unsyncedText : syncStatus.canonicalText, mood, locationName,
            locationAddress, locationCity, place?.latitude, place?.longitude, place?.horizontalAccuracy,
            place?.verticalAccuracy, StoredExtra.text(extra),
        ]
    }
}

extension Medium {
    static let columns = """
        id, kind, fileName, thumbnailFileName, keyId, fileSize, width, height, duration, createdAt, story, path, \
        thumbnailPath, sha256, thumbnailSize, thumbnailSHA256, broken, extra, crc32, thumbnailCRC32
        """

    init(_ row: Row) throws {
        self.init(
            id: row[0],
            kind: MediumKind(rawValue: row[1]),
            fileName: row[2],
            thumbnailFileName: row[3],
            keyId: row[4],
            fileSize: row[5],
            width: row[6],
            height: row[7],
            duration: row[8],
            createdAt: row[9],
            storyId: row[10],
            path: (row[11] as String?).flatMap { MediaPath($0) },
            thumbnailPath: (row[12] as String?).flatMap { MediaPath($0) },
            sha256: row[13],
            crc32: (row[18] as Int64?).map { UInt32(truncatingIfNeeded: $0) },
            thumbnailSize: row[14],
            thumbnailSHA256: row[15],
            thumbnailCRC32: (row[19] as Int64?).map { UInt32(truncatingIfNeeded: $0) },
            broken: (row[16] as String?).map { BrokenReason(rawValue: $0) },
            extra: try StoredExtra.members(row[17])
        )
    }

    var columnValues: [(any DatabaseValueConvertible)?] {
        [
            id, kind.rawValue, fileName, thumbnailFileName, keyId, fileSize, width, height, duration, createdAt,
            storyId, path?.text, thumbnailPath?.text, sha256, thumbnailSize, thumbnailSHA256, broken?.rawValue,
            StoredExtra.text(extra), crc32.map { Int64($0) }, thumbnailCRC32.map { Int64($0) },
        ]
    }
}

extension JournalSetting {
    static let columns = "key, type, value, updatedAt, extra"

    init(_ row: Row) throws {
        self.init(
            key: row[0],
            type: row[1],
            value: row[2],
            updatedAt: row[3],
            extra: try StoredExtra.members(row[4])
        )
    }

    var columnValues: [(any DatabaseValueConvertible)?] {
        [key, type, value, updatedAt, StoredExtra.text(extra)]
    }
}

extension StoryCategory {
    static let columns = "story, category, extra"

    init(_ row: Row) throws {
        self.init(storyId: row[0], categoryId: row[1], extra: try StoredExtra.members(row[2]))
    }

    var columnValues: [(any DatabaseValueConvertible)?] { [storyId, categoryId, StoredExtra.text(extra)] }
}
