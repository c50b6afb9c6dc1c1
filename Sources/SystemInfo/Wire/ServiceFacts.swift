/// One service the system looks after.
public struct ServiceFacts: Hashable, Sendable {
    /// The service's name; with systemd that of the unit, for example `ssh.service`.
    public var name: String
    /// The service's own line about itself; empty without one.
    public var summary: String
    /// The state in the system's word, for example `active`, `failed`.
    public var state: String
    /// More precisely, for example `running`, `exited`.
    public var detail: String

    public init(name: String, summary: String, state: String, detail: String) {
        self.name = name
        self.summary = summary
        self.state = state
        self.detail = detail
    }
}
