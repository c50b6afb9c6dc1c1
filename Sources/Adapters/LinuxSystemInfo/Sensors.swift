import SystemInfo

/// Reads temperatures below `/sys/class/hwmon`, or where there are none, below `/sys/class/thermal`.
enum Sensors {
    private static let limit = 64
    private static let processorDrivers: Set = ["coretemp", "k10temp", "zenpower", "cpu_thermal", "cpu-thermal"]

    static func temperatures(_ files: SystemFiles) -> [TemperatureFacts] {
        let monitors = monitors(files)
        return Array((monitors.isEmpty ? zones(files) : monitors).prefix(limit))
    }

    private static func monitors(_ files: SystemFiles) -> [TemperatureFacts] {
        files.names(in: "/sys/class/hwmon").flatMap { monitor -> [TemperatureFacts] in
            let folder = "/sys/class/hwmon/\(monitor)"
            let driver = files.line("\(folder)/name") ?? monitor
            return files.names(in: folder).compactMap { file in
                guard file.hasPrefix("temp"), file.hasSuffix("_input"),
                    let celsius = celsius(files, "\(folder)/\(file)")
                else { return nil }
                let label = files.line("\(folder)/\(file.dropLast("_input".count))_label")
                return TemperatureFacts(
                    name: label.map { "\(driver) \($0)" } ?? driver,
                    celsius: celsius,
                    isProcessor: processorDrivers.contains(driver)
                )
            }
        }
    }

    private static func zones(_ files: SystemFiles) -> [TemperatureFacts] {
        files.names(in: "/sys/class/thermal").compactMap { zone in
            guard zone.hasPrefix("thermal_zone"), let celsius = celsius(files, "/sys/class/thermal/\(zone)/temp") else {
                return nil
            }
            let type = files.line("/sys/class/thermal/\(zone)/type") ?? zone
            let isProcessor = type.hasPrefix("x86_pkg") || type.lowercased().hasPrefix("cpu")
            return TemperatureFacts(name: type, celsius: celsius, isProcessor: isProcessor)
        }
    }

    /// Reads a temperature in thousandths of a degree. A sensor that is not connected says something no computer survives.
    private static func celsius(_ files: SystemFiles, _ path: String) -> Double? {
        guard let thousandths = files.number(path), (-100_000...200_000).contains(thousandths) else { return nil }
        return Double(thousandths) / 1000
    }
}
