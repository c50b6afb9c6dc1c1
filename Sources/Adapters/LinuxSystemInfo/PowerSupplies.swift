import SystemInfo

/// Reads the batteries below `/sys/class/power_supply`.
enum PowerSupplies {
    private static let folder = "/sys/class/power_supply"

    static func batteries(_ files: SystemFiles) -> [BatteryFacts] {
        files.names(in: folder).compactMap { name in
            let supply = "\(folder)/\(name)"
            // A mouse's battery is not the computer's.
            guard files.line("\(supply)/type") == "Battery", files.line("\(supply)/scope") != "Device" else {
                return nil
            }
            guard let percent = percent(files, supply) else { return nil }
            let state = state(files.line("\(supply)/status"))
            return BatteryFacts(
                name: name,
                percent: percent,
                state: state,
                secondsLeft: secondsLeft(files, supply, state)
            )
        }
    }

    private static func percent(_ files: SystemFiles, _ supply: String) -> Int? {
        if let percent = files.number("\(supply)/capacity") { return min(max(percent, 0), 100) }
        for unit in ["energy", "charge"] {
            if let now = files.number("\(supply)/\(unit)_now"), let full = files.number("\(supply)/\(unit)_full"),
                full > 0
            {
                return Int(min(max(Double(now) / Double(full) * 100, 0), 100).rounded())
            }
        }
        return nil
    }

    private static func state(_ status: String?) -> BatteryState {
        switch status {
        case "Charging": .charging
        case "Discharging": .discharging
        case "Full", "Not charging": .full
        default: .unknown
        }
    }

    /// Drivers count either energy and power, or charge and current.
    private static func secondsLeft(_ files: SystemFiles, _ supply: String, _ state: BatteryState) -> Int? {
        for (amount, rate) in [("energy", "power_now"), ("charge", "current_now")] {
            guard let now = files.number("\(supply)/\(amount)_now"), let speed = files.number("\(supply)/\(rate)"),
                speed != 0
            else { continue }
            let hours: Double
            switch state {
            case .discharging: hours = Double(now) / Double(speed.magnitude)
            case .charging:
                guard let full = files.number("\(supply)/\(amount)_full"), full > now else { return nil }
                hours = Double(full - now) / Double(speed.magnitude)
            case .full, .unknown: return nil
            }
            let seconds = hours * 3600
            return seconds < 1e7 ? Int(seconds) : nil
        }
        return nil
    }
}
