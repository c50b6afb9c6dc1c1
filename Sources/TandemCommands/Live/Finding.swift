import CommandServer
import Kernel

/// One thing that `tandem doctor` looked at.
struct Finding: Hashable {
    var name: String
    var works: Bool
    /// Without it Tandem cannot do its work here; else it only does less.
    var isNeeded = false
    var detail: String

    init(name: String, works: Bool, isNeeded: Bool = false, detail: String) {
        self.name = name
        self.works = works
        self.isNeeded = isNeeded
        self.detail = detail
    }

    init(_ check: DoctorCheck) {
        self.init(name: check.name, works: check.works, detail: check.detail)
    }

    /// As a running role told it.
    init?(_ json: JSONValue) {
        guard let name = json["name"]?.stringValue, let works = json["works"]?.boolValue else { return nil }
        self.init(name: name, works: works, detail: json["detail"]?.stringValue ?? "")
    }

    var json: JSONValue {
        ["name": .string(name), "works": .bool(works), "needed": .bool(isNeeded), "detail": .string(detail)]
    }

    var line: String {
        let word = works ? "ok     " : isNeeded ? "BROKEN " : "missing"
        return TerminalText.line("\(word)  \(name): \(detail)")
    }
}
