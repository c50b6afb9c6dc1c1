package import Kernel

extension JournalError {
    package var facts: FailureFacts {
        switch self {
        case .badRecord(let kind, let member):
            .kind(.badRequest, reason: "badRecord", ["kind": .string(kind.rawValue), "member": .string(member)])
        case .duplicateRecord(let kind):
            .kind(.badRequest, reason: "duplicateRecord", ["kind": .string(kind.rawValue)])
        case .categoryCycle: .kind(.badRequest, reason: "categoryCycle")
        case .unknownParent: .kind(.badRequest, reason: "unknownParent")
        case .danglingRecord(let kind):
            .kind(.badRequest, reason: "danglingRecord", ["kind": .string(kind.rawValue)])
        case .unknownStory: .kind(.notFound, reason: "unknownStory")
        case .notDeleted: .kind(.refused, reason: "notDeleted")
        case .unknownCategory: .kind(.notFound, reason: "unknownCategory")
        case .unknownMedium: .kind(.notFound, reason: "unknownMedium")
        case .severalStories: .kind(.badRequest, reason: "severalStories")
        case .categoryHasParts: .kind(.refused, reason: "categoryHasParts")
        case .categoryExists(let name): .kind(.exists, reason: "categoryExists", ["name": .string(name)])
        case .badRequest(let member): .kind(.badRequest, reason: "badRequest", ["member": .string(member)])
        case .blank: .kind(.badRequest, reason: "blank")
        case .tooLong(let what, let limit):
            .kind(.tooLarge, reason: "tooLong", ["what": .string(what), "limit": .integer(Int64(limit))])
        case .badSetting(let type): .kind(.badRequest, reason: "badSetting", ["type": .string(type)])
        case .mediumMissing: .kind(.notFound, reason: "mediumMissing")
        case .mediumDamaged: .kind(.internal, reason: "mediumDamaged")
        case .mediumUnknown: .kind(.refused, reason: "mediumUnknown")
        case .mediumTooLarge: .kind(.tooLarge, reason: "mediumTooLarge")
        case .noMasterKey: .kind(.internal, reason: "noMasterKey")
        case .unreadable(let path): .kind(.notFound, reason: "unreadable", ["path": .string(path)])
        case .notWritten(let path): .kind(.badRequest, reason: "notWritten", ["path": .string(path)])
        case .folderInUse(let path): .kind(.exists, reason: "folderInUse", ["path": .string(path)])
        case .unknownFormat(let path): .kind(.badRequest, reason: "unknownFormat", ["path": .string(path)])
        case .fileTooLarge(let path, let limit):
            .kind(.tooLarge, reason: "fileTooLarge", ["path": .string(path), "limit": .integer(limit)])
        case .needsUpdate(let theirs, let ours):
            .kind(.refused, reason: "needsUpdate", ["theirs": .integer(theirs), "ours": .integer(ours)])
        case .schemaUnclear: .kind(.badRequest, reason: "schemaUnclear")
        case .resting: .kind(.refused, reason: "journalRests")
        }
    }

    package var description: String {
        switch self {
        case .badRecord(let kind, let member):
            "A record of \(kind.rawValue) cannot be read: \(member) is missing or wrong. Export the journal again."
        case .duplicateRecord(let kind):
            "Two records of \(kind.rawValue) have the same id. Export the journal again."
        case .categoryCycle: "A category would be inside itself. Choose another parent for it."
        case .unknownParent: "A category's parent is not in the journal. Choose one that is."
        case .danglingRecord(let kind):
            "A record of \(kind.rawValue) names something that is not in the journal. Export the journal again."
        case .unknownStory: "There is no such story. See them: tandem journal list"
        case .notDeleted: "The story is not deleted. Delete it first: tandem journal delete ID"
        case .unknownCategory(let name): "There is no category \(name). See them: tandem journal categories"
        case .unknownMedium: "There is no such medium. See a story's: tandem journal show ID"
        case .severalStories: "Several stories' ids begin so. Give more of the id."
        case .categoryHasParts: "Other categories are inside of it. Move or delete those first."
        case .categoryExists(let name): "There is a category \(name) at that place already. Choose another name."
        case .badRequest(let member): "\(member) does not make sense. Look at the command's help."
        case .blank: "There is nothing to keep. Write something first."
        case .tooLong(let what, let limit): "The \(what) is longer than \(limit) bytes. Make it shorter."
        case .badSetting(let type): "The value does not fit a setting of type \(type). Give one that does."
        case .mediumMissing:
            "The medium's file is missing on this device. If another device or a backup has it, restore it from there."
        case .mediumDamaged:
            "The medium's file was damaged, or belongs to another key. Restore it from a backup."
        case .mediumUnknown: "The medium is kept in a form that this version cannot read. Update Tandem."
        case .mediumTooLarge: "The file is too large for a medium. Make it smaller."
        case .noMasterKey:
            "The journal's key is missing or damaged, so its media cannot be read. Restore the state folder from a backup."
        case .unreadable(let path): "\(path) cannot be read. Check that it is there and yours."
        case .notWritten(let path): "\(path) cannot be written. Look at its permissions and its disk."
        case .folderInUse(let path): "\(path) holds something already. Name a new folder, or empty that one first."
        case .unknownFormat(let path):
            "\(path) is no journal that can be read here. Give a Day One zip, a Joplin JEX, a folder of Markdown or an export."
        case .fileTooLarge(let path, let limit): "\(path) is larger than \(ByteSize(limit)). Import it in parts."
        case .needsUpdate(let theirs, let ours):
            "The journal is of version \(theirs), and this program knows up to \(ours). Update Tandem on this device."
        case .resting: "The journal is being replaced on this device just now. Try again in a moment."
        case .schemaUnclear: "The journal does not say clearly of which version it is. Export it again."
        }
    }
}
