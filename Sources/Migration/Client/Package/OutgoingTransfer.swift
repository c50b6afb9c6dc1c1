import MigrationContainer

/// What is sent to a new phone, so that it goes on after a start of the program: the package is made again from this, byte for byte, with the
/// person's password and the keys of the proof, neither of which is in it.
struct OutgoingTransfer: Codable, Hashable, Sendable {
    /// Another one for each package: its bytes never change.
    var transferID: String
    /// Where the new phone is met.
    var meeting: MeetingPlan
    /// Nil until the data was read.
    var plan: PackagePlan?
    var sections: SectionFiles?
    /// A hash of the keys that the package was sealed for: where a kill fell between other keys and another package, none goes on with both.
    var sealedFor: [UInt8]?
}
