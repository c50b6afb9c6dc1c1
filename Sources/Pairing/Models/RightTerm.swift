public import Foundation
import Kernel

/// The time for which a phone has a right that ends. Both dates are of this computer's clock; while a program runs it counts by a clock that
/// nobody sets, too, and notes now and then how far it came, so that a clock that is set back gives nothing more.
public struct RightTerm: Hashable, Sendable {
    /// The times that a right can be given for.
    public static let range = Duration.seconds(5 * 60)...Duration.seconds(30 * 24 * 3600)

    /// When the right ends, in whole milliseconds.
    public let endsAt: Date
    /// The last moment at which the program knew that the right had not ended.
    public let checkedAt: Date

    /// - Parameter checkedAt: A date after ``endsAt`` counts as ``endsAt``: nothing is left.
    public init(endsAt: Date, checkedAt: Date) {
        self.endsAt = Date(millisecondsSince1970: endsAt.millisecondsSince1970)
        self.checkedAt = Date(millisecondsSince1970: min(checkedAt, endsAt).millisecondsSince1970)
    }

    /// The time that is left by the clock, zero when there is none. A date before ``checkedAt`` cannot be right, and counts as that.
    public func left(at now: Date) -> Duration {
        .milliseconds(max(0, endsAt.millisecondsSince1970 - max(now, checkedAt).millisecondsSince1970))
    }
}

extension RightTerm {
    init?(_ json: JSONValue) {
        guard let ends = json["endsAt"]?.integerValue, let checked = json["checkedAt"]?.integerValue else { return nil }
        self.init(endsAt: Date(millisecondsSince1970: ends), checkedAt: Date(millisecondsSince1970: checked))
    }

    var json: JSONValue {
        [
            "endsAt": .integer(endsAt.millisecondsSince1970), "checkedAt": .integer(checkedAt.millisecondsSince1970),
        ]
    }
}
