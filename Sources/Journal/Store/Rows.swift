import Foundation
import GRDB
import Kernel
import Storage

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
    init(_ row: Row) throws {
        self.init(
            id: row["id"],
            name: row["name"],
            nameEn: row["nameEn"],
            colorHex: row["colorHex"],
            level: row["level"],
            parentId: row["parent"],
            iconName: row["iconName"],
            iconType: row["iconType"],
            customIcon: (row["customIcon"] as Data?).map { Array($0) },
            sortOrder: row["sortOrder"],
            createdAt: row["createdAt"],
            extra: try StoredExtra.members(row["extra"])
        )
    }
}

extension Story {
    init(_ row: Row) throws {
        guard let status = try? JSONValue(parsing: (row["syncStatus"] as String).utf8) else {
            throw StorageError.damaged
        }
        var place: StoryPlace?
        if let latitude = row["latitude"] as Double?, let longitude = row["longitude"] as Double? {
            place = StoryPlace(
                latitude: latitude,
                longitude: longitude,
                horizontalAccuracy: row["horizontalAccuracy"] ?? -1,
                verticalAccuracy: row["verticalAccuracy"] ?? -1
            )
        }
        self.init(
            id: row["id"],
            title: row["title"],
            content: row["content"],
            plainText: row["plainText"],
            createdAt: row["createdAt"],
            updatedAt: row["updatedAt"],
            happenedAt: row["happenedAt"],
            isRemoved: row["isRemoved"],
            syncStatus: status,
            mood: row["mood"],
            locationName: row["locationName"],
            locationAddress: row["locationAddress"],
            locationCity: row["locationCity"],
            place: place,
            extra: try StoredExtra.members(row["extra"])
        )
    }
}

extension Medium {
    init(_ row: Row) throws {
        self.init(
            id: row["id"],
            kind: MediumKind(rawValue: row["kind"]),
            fileName: row["fileName"],
            thumbnailFileName: row["thumbnailFileName"],
            keyId: row["keyId"],
            fileSize: row["fileSize"],
            width: row["width"],
            height: row["height"],
            duration: row["duration"],
            createdAt: row["createdAt"],
            storyId: row["story"],
            path: (row["path"] as String?).flatMap { MediaPath($0) },
            thumbnailPath: (row["thumbnailPath"] as String?).flatMap { MediaPath($0) },
            sha256: row["sha256"],
            thumbnailSize: row["thumbnailSize"],
            thumbnailSHA256: row["thumbnailSHA256"],
            broken: (row["broken"] as String?).map { BrokenReason(rawValue: $0) },
            extra: try StoredExtra.members(row["extra"])
        )
    }
}

extension JournalSetting {
    init(_ row: Row) throws {
        self.init(
            key: row["key"],
            type: row["type"],
            value: row["value"],
            updatedAt: row["updatedAt"],
            extra: try StoredExtra.members(row["extra"])
        )
    }
}

extension StoryCategory {
    init(_ row: Row) throws {
        self.init(
            storyId: row["story"],
            categoryId: row["category"],
            extra: try StoredExtra.members(row["extra"])
        )
    }
}
