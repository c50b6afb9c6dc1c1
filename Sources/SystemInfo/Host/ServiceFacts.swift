/// One service the system looks after.
package struct ServiceFacts: Hashable, Sendable {
    package var name: String
    package var summary: String
    /// As the system words it, for example `active`, `failed`.
    package var state: String
    /// More precisely, for example `running`, `exited`.
    package var detail: String

    package init(name: String, summary: String, state: String, detail: String) {
        self.name = name
        self.summary = summary
        self.state = state
        self.detail = detail
    }
}
