import Foundation
import Kernel
import Screen

/// Reads the lists of displays that the system's tools print.
enum DisplayList {
    /// More screens than any desk holds.
    private static let limit = 64

    /// `xrandr --listmonitors`: ` 0: +*HDMI-1 1920/509x1080/286+0+0  HDMI-1`.
    static func xrandr(_ text: String) -> [Display] {
        let displays = text.split(whereSeparator: \.isNewline).dropFirst().compactMap { line -> Display? in
            let words = line.split(separator: " ")
            guard words.count >= 3, words[0].hasSuffix(":") else { return nil }
            // WIDTH/mm x HEIGHT/mm + X + Y, where X and Y may be negative.
            let pattern = /(\d+)\/\d+x(\d+)\/\d+([+-]\d+)([+-]\d+)/
            guard let match = words[2].wholeMatch(of: pattern), let width = Int(match.1), let height = Int(match.2),
                let x = Int(match.3), let y = Int(match.4), width > 0, height > 0
            else { return nil }
            let name = words[1].drop { $0 == "+" || $0 == "*" }
            return Display(
                id: 0,
                name: String(name),
                x: x,
                y: y,
                width: width,
                height: height,
                isPrimary: words[1].prefix(2).contains("*")
            )
        }
        return Display.numbered(Array(displays.prefix(limit)))
    }

    /// `wlr-randr`: an output's name at the line's beginning, what is known of it indented below.
    static func wlrRandr(_ text: String) -> [Display] {
        struct Output {
            var name: String
            var isEnabled = true
            var size: (width: Int, height: Int)?
            var position = (x: 0, y: 0)
        }
        var outputs: [Output] = []
        for line in text.split(whereSeparator: \.isNewline) {
            if let first = line.first, !first.isWhitespace {
                outputs.append(Output(name: String(line.prefix { !$0.isWhitespace })))
                continue
            }
            guard let last = outputs.indices.last else { continue }
            let fact = line.trimmingCharacters(in: .whitespaces)
            if fact == "Enabled: no" {
                outputs[last].isEnabled = false
            } else if fact.hasPrefix("Position: ") {
                let numbers = fact.dropFirst("Position: ".count).split(separator: ",").compactMap { Int($0) }
                if numbers.count == 2 { outputs[last].position = (numbers[0], numbers[1]) }
            } else if fact.contains("current"), let match = fact.firstMatch(of: /^(\d+)x(\d+) px/) {
                if let width = Int(match.1), let height = Int(match.2) { outputs[last].size = (width, height) }
            }
        }
        let displays = outputs.compactMap { output -> Display? in
            guard output.isEnabled, let size = output.size, size.width > 0, size.height > 0 else { return nil }
            return Display(
                id: 0,
                name: output.name,
                x: output.position.x,
                y: output.position.y,
                width: size.width,
                height: size.height,
                isPrimary: false
            )
        }
        return Display.numbered(Array(displays.prefix(limit)))
    }

    /// `swaymsg -t get_outputs --raw`: a JSON array.
    static func sway(_ bytes: [UInt8]) -> [Display] {
        // Output that is not JSON lists no displays: the caller says so.
        let outputs = (try? JSONValue(parsing: bytes))?.arrayValue ?? []
        let displays = outputs.compactMap { output -> Display? in
            guard output["active"]?.boolValue != false, let name = output["name"]?.stringValue,
                let x = integer(output["rect"]?["x"]), let y = integer(output["rect"]?["y"]),
                let width = integer(output["current_mode"]?["width"] ?? output["rect"]?["width"]),
                let height = integer(output["current_mode"]?["height"] ?? output["rect"]?["height"]), width > 0,
                height > 0
            else { return nil }
            let isPrimary = output["focused"]?.boolValue == true
            return Display(id: 0, name: name, x: x, y: y, width: width, height: height, isPrimary: isPrimary)
        }
        return Display.numbered(Array(displays.prefix(limit)))
    }

    private static func integer(_ value: JSONValue?) -> Int? { value?.integerValue.flatMap { Int(exactly: $0) } }
}
