public import Kernel

/// Why a part of a phone's data could not be taken out or put back. The description is shown to the person.
public enum SectionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The package was made by a newer version, in whose form this section is.
    case newer(section: String, theirs: Int, ours: Int)
    /// The section is not as its header says, or breaks a bound.
    case damaged(section: String, reason: String)
    /// No name of a section.
    case badName(String)
    /// A package, or a program, has two sections of one name.
    case twice(String)
    /// A file grew or shrank after the data was frozen.
    case changed(section: String, path: String)
    /// The data cannot be put into place: both the old and the new of a name are where only one may be.
    case inTheWay(name: String)
    /// The disk, or the bound of the phone's data, has no room for it.
    case full(section: String)
    /// The package does not have the part that says whose data it is.
    case missing(section: String)

    public var description: String {
        switch self {
        case .newer(let section, let theirs, let ours):
            """
            The part “\(section)” of the data is of version \(theirs), and this phone knows versions up to \(ours). Update \
            Tandem on this phone, then go on. Nothing was changed.
            """
        case .damaged(let section, let reason):
            """
            The part “\(section)” of the data is damaged: \(reason). Nothing on this phone was changed. Make the package \
            anew on the old phone.
            """
        case .badName(let name):
            "“\(name)” is no name of a part of a phone's data. The package was not made by Tandem, or is damaged."
        case .twice(let name):
            "The part “\(name)” of the data is there twice. The package was not made by Tandem, or is damaged."
        case .changed(let section, let path):
            """
            The file \(path) of the part “\(section)” changed while it was packed. Begin again, and leave this phone \
            alone meanwhile.
            """
        case .inTheWay(let name):
            """
            \(name) cannot be put into its place in the state folder, because an earlier copy lies where the replaced one \
            goes. Nothing was lost. Look with: tandem migrate status
            """
        case .full(let section):
            """
            There is no room for the part “\(section)” of the data. Nothing on this phone was changed. Free some space, then \
            go on.
            """
        case .missing(let section):
            """
            The package does not have the part “\(section)” of the data, so nobody knows whose it is. Nothing on this phone \
            was changed. Make the package anew on the old phone.
            """
        }
    }
}

extension SectionError: ClassifiedError {
    public var facts: FailureFacts {
        switch self {
        case .newer(let section, let theirs, let ours):
            .kind(
                .refused,
                reason: "sectionNewer",
                ["section": .string(section), "theirs": .integer(Int64(theirs)), "ours": .integer(Int64(ours))]
            )
        case .damaged(let section, _): .kind(.badRequest, reason: "sectionDamaged", ["section": .string(section)])
        case .badName, .twice: .kind(.badRequest, reason: "sectionDamaged")
        case .changed: .kind(.refused, reason: "sectionChanged")
        case .inTheWay: .kind(.exists)
        case .full(let section): .kind(.full, reason: "sectionFull", ["section": .string(section)])
        case .missing(let section): .kind(.badRequest, reason: "sectionDamaged", ["section": .string(section)])
        }
    }
}
