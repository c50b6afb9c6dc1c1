/// One thing that works on this computer, or is missing, for the person who looks after it.
package struct DoctorCheck: Hashable, Sendable {
    package var name: String
    package var works: Bool
    /// What it works with; otherwise what is missing and what brings it.
    package var detail: String

    package init(name: String, works: Bool, detail: String) {
        self.name = name
        self.works = works
        self.detail = detail
    }
}
