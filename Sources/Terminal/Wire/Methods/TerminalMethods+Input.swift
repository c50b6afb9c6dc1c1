package import Commands
package import Kernel

extension TerminalMethods {
    package struct Input: MethodParameters, Hashable {
        /// Bytes of one piece.
        package static let byteLimit = 64 * 1024

        /// Where a piece stands among those of one attachment, which may arrive in any order.
        package struct Place: Hashable, Sendable {
            /// The attachment's name, at most 64 bytes: that of the window, where it is one (``Resize/viewerID``).
            package var inputID: String
            /// From 1.
            package var seq: Int64

            package init(inputID: String, seq: Int64) {
                self.inputID = inputID
                self.seq = seq
            }
        }

        package var sessionID: String
        package var text: String
        /// Nil: typed as it comes.
        package var place: Place?

        package init(sessionID: String, text: String, place: Place? = nil) {
            self.sessionID = sessionID
            self.text = text
            self.place = place
        }

        package init(wire params: RemoteParameters) throws {
            sessionID = try params.terminalID()
            guard let data = try params.optionalText("data", limit: Self.byteLimit) else {
                throw RemoteFailure.badParameter("data", "a text of at most \(Self.byteLimit) bytes")
            }
            text = data
            guard let seq = try params.optionalInteger("inputSeq", in: 1...JSONValue.terminalSeqLimit) else { return }
            place = Place(
                inputID: try params.optionalText("inputId", limit: TerminalMethods.viewerNameLimit) ?? "",
                seq: seq
            )
        }

        package var wire: JSONValue {
            guard let place else { return ["sessionId": .string(sessionID), "data": .string(text)] }
            return [
                "sessionId": .string(sessionID), "data": .string(text), "inputId": .string(place.inputID),
                "inputSeq": .integer(place.seq),
            ]
        }
    }
}
