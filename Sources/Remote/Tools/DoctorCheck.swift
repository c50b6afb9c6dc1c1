/// One thing that works on this computer, or is missing, for the person who looks after it.
public struct DoctorCheck: Hashable, Sendable {
    public var name: String
    public var works: Bool
    /// What it works with; otherwise what is missing and what brings it.
    public var detail: String

    public init(name: String, works: Bool, detail: String) {
        self.name = name
        self.works = works
        self.detail = detail
    }
}
