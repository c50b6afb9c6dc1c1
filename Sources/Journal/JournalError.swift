import Kernel

/// Why something about a journal was not done. The description is shown to the person: what happened, then what to do.
package enum JournalError: ClassifiedError, Hashable {
    /// A record lacks a member, or has it in a form that cannot be read.
    ///
    /// - Parameter member: Its name, never its value.
    case badRecord(RecordKind, member: String)
    /// Two records of one kind have the same id.
    case duplicateRecord(RecordKind)
    /// A category's parents lead back to itself, or go deeper than ``JournalLimits/depth``.
    case categoryCycle
    /// A category's parent is not there.
    case unknownParent
    /// A record names a story or a category that is not there.
    case danglingRecord(RecordKind)
    case unknownStory
    /// Only a deleted story is removed for good.
    case notDeleted
    case unknownCategory(String)
    case unknownMedium
    /// The beginning of an id that several have.
    case severalStories
    /// A category that others are in.
    case categoryHasParts
    /// Another category of the same name is beside it.
    case categoryExists(String)
    /// A parameter of a command or a page that makes no sense.
    case badRequest(_ member: String)
    case blank
    case tooLong(_ what: String, limit: Int)
    /// A setting's value is not one of its type.
    case badSetting(type: String)
    /// The medium's file is not there or cannot be read.
    case mediumMissing
    /// The file was changed, or its key is another one.
    case mediumDamaged
    /// The file is encrypted in a form that this version does not know.
    case mediumUnknown
    case mediumTooLarge
    /// The master key is missing although there is a journal, or has not 32 bytes.
    case noMasterKey
    case unreadable(path: String)
    case notWritten(path: String)
    case folderInUse(path: String)
    /// Nothing that is read from here is a journal of a known form.
    case unknownFormat(path: String)
    /// A file that is read at once goes over its limit.
    case fileTooLarge(path: String, limit: Int64)
    /// Records of a newer version of the schema.
    case needsUpdate(theirs: Int64, ours: Int64)
    /// The places that state the schema's version do not agree, or state none.
    case schemaUnclear
    /// The journal is closed for a moment: another one takes its place.
    case resting
}
