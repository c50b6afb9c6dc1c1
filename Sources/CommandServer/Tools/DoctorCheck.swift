package import Control

/// One thing that works on this computer, or is missing, for the person who looks after it.
package struct DoctorCheck: Codable, Hashable, Sendable {
    package var name: String
    package var works: Bool
    /// Without it Tandem cannot do its work here; else it only does less.
    package var isNeeded: Bool
    /// What it works with; otherwise what is missing and what brings it.
    package var detail: String

    package init(name: String, works: Bool, isNeeded: Bool = false, detail: String) {
        self.name = name
        self.works = works
        self.isNeeded = isNeeded
        self.detail = detail
    }

    enum CodingKeys: String, CodingKey {
        case name, works, detail
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
