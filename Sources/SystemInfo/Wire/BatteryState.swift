/// Raw values are the wire's.
public enum BatteryState: String, Hashable, Sendable {
    case charging, discharging, full, unknown
}
