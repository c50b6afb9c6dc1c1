import Commands
import Kernel
import Rights

extension Right {
    static let bell: Right = "bell"
}

extension RightDeclaration {
    static let bell = RightDeclaration(.bell, "ring this computer's bell", risk: .mutating, weight: 30)
}

extension EventKind {
    /// It rang now.
    static let bellRang = EventKind("bell.rang", needs: .bell)
    /// It rang while the phone was away, perhaps.
    static let bellMissed = EventKind("bell.missed", needs: .bell)
}

/// The doorbell's methods.
enum BellMethods {
    static let ring = Method<Ring, Rung>(
        "bell.ring",
        needs: Permission(.bell),
        risk: .mutating,
        mayWait: true,
        summary: "Rings the bell."
    )

    struct Ring: MethodParameters, Hashable {
        var times: Int64

        init(times: Int64) { self.times = times }
        init(wire: RemoteParameters) throws { times = try wire.integer("times", in: 1...5) }
        var wire: JSONValue { ["times": .integer(times)] }
    }

    struct Rung: MethodAnswer, Hashable {
        /// Since the computer has a bell.
        var total: Int64

        init(total: Int64) { self.total = total }
        init(wire: JSONValue) throws(RemoteError) {
            guard let total = wire["total"]?.integerValue else { throw .malformedResult }
            self.total = total
        }

        var wire: JSONValue { ["success": true, "total": .integer(total)] }
    }
}

/// The doorbell's binary message: its byte, then how often it rang.
enum BellFrame {
    static let firstByte: UInt8 = 0x04
}
