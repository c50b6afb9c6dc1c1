package import Control
package import Kernel

/// One thing that works on this computer, or is missing, for the person who looks after it.
package struct DoctorCheck: Codable, Hashable, Sendable {
    package var name: String
    package var works: Bool
    /// Whether Tandem cannot do its work here without it; else it only does less.
    package var isNeeded: Bool
    /// The tool or file that it works with; otherwise what is missing, and the package or step that brings it.
    package var detail: String
    /// A command to type that brings what is missing; nil where none does by itself.
    package var mend: String?
    /// Names what ``detail`` says, so that a page can say it in its own language; nil where it only names things, or is a program's own words.
    package var reason: String?
    /// Values for a sentence about it, such as a name or a number.
    package var values: [String: JSONValue]?

    package init(name: String, works: Bool, isNeeded: Bool = false, detail: String, mend: String? = nil) {
        self.name = name
        self.works = works
        self.isNeeded = isNeeded
        self.detail = detail
        self.mend = mend
    }

    /// It does not work, for this reason.
    package init(name: String, isNeeded: Bool = false, failure: any Error) {
        let tool = failure as? ToolError
        let named = failure as? any NamedFailure
        self.init(name: name, works: false, isNeeded: isNeeded, detail: "\(failure)", mend: tool?.mend)
        reason = tool?.reason ?? named?.reason
        values = tool?.values ?? named?.values
    }

    /// A copy with a name for what its detail says. The names are a contract with the page, which has a sentence for each.
    package func saying(_ reason: String, _ values: [String: JSONValue]? = nil) -> DoctorCheck {
        var check = self
        (check.reason, check.values) = (reason, values)
        return check
    }

    enum CodingKeys: String, CodingKey {
        case name, works, detail, mend, reason, values
        case isNeeded = "needed"
    }
}

package struct DoctorReport: Codable, Hashable, Sendable {
    package var checks: [DoctorCheck]

    package init(_ checks: [DoctorCheck]) { self.checks = checks }
}

extension ControlMethod where Parameters == NoControlParameters, Answer == DoctorReport {
    package static var doctor: Self {
        Self("doctor", summary: "What works on this machine for the features that run here, as this process sees it.")
    }
}
