package import Control
public import Kernel

/// One thing that works on this computer, or is missing, for the person who looks after it.
public struct DoctorCheck: Codable, Hashable, Sendable {
    public var name: String
    public var works: Bool
    /// Whether Tandem cannot do its work here without it; else it only does less.
    public var isNeeded: Bool
    /// The tool or file that it works with; otherwise what is missing, and the package or step that brings it.
    public var detail: String
    /// A command to type that brings what is missing; nil where none does by itself.
    public var mend: String?
    /// Names what ``detail`` says, so that a page can say it in its own language; nil where it only names things, or is a program's own words.
    public var reason: String?
    /// Values for a sentence about it, such as a name or a number.
    public var values: [String: JSONValue]?

    public init(name: String, works: Bool, isNeeded: Bool = false, detail: String, mend: String? = nil) {
        self.name = name
        self.works = works
        self.isNeeded = isNeeded
        self.detail = detail
        self.mend = mend
    }

    /// It does not work, for this reason.
    public init(name: String, isNeeded: Bool = false, failure: any Error) {
        let mendable = failure as? any DoctorFailure
        let facts = (failure as? any ClassifiedError)?.facts
        self.init(name: name, works: false, isNeeded: isNeeded, detail: "\(failure)", mend: mendable?.mend)
        reason = mendable?.reason ?? facts?.reason
        values = mendable?.values ?? (facts?.reason == nil ? nil : facts?.values)
    }

    /// A copy with a name for what its detail says. The names are a contract with the page, which has a sentence for each.
    public func saying(_ reason: String, _ values: [String: JSONValue]? = nil) -> DoctorCheck {
        var check = self
        (check.reason, check.values) = (reason, values)
        return check
    }

    /// A check that works where `body` finds something, and fails as it does.
    ///
    /// - Parameter body: Finds the detail, and what ``saying(_:_:)`` is told of it; nil for a detail without a name.
    package static func finding(
        _ name: String,
        _ body: () async throws -> (detail: String, reason: String?, values: [String: JSONValue]?)
    ) async -> DoctorCheck {
        do {
            let found = try await body()
            let check = DoctorCheck(name: name, works: true, detail: found.detail)
            return found.reason.map { check.saying($0, found.values) } ?? check
        } catch {
            return DoctorCheck(name: name, failure: error)
        }
    }

    enum CodingKeys: String, CodingKey {
        case name, works, detail, mend, reason, values
        case isNeeded = "needed"
    }
}

public struct DoctorReport: Codable, Hashable, Sendable {
    public var checks: [DoctorCheck]

    public init(_ checks: [DoctorCheck]) { self.checks = checks }
}

extension ControlMethod where Parameters == NoControlParameters, Answer == DoctorReport {
    package static var doctor: Self {
        Self("doctor", summary: "What works on this machine for the features that run here, as this process sees it.")
    }
}
