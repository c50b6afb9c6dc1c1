/// How urgent a message is, so that a device on low battery can wait for what is not (RFC 8030 section 5.3).
package enum PushUrgency: String, Hashable, Sendable, CaseIterable {
    case veryLow = "very-low"
    case low
    case normal
    case high
}
