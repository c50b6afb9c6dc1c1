/// Raw values are the wire's.
package enum BatteryState: String, Hashable, Sendable {
    case charging, discharging, full, unknown
}
