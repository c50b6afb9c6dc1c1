package import Commands
package import Kernel

extension TerminalMethods {
    /// Names a terminal and says nothing more.
    package struct Session: MethodParameters, Hashable {
        package var sessionID: String

        package init(_ sessionID: String) { self.sessionID = sessionID }

        package init(wire params: RemoteParameters) throws { sessionID = try params.terminalID() }

        package var wire: JSONValue { ["sessionId": .string(sessionID)] }
    }

    package struct Resize: MethodParameters, Hashable {
        package var sessionID: String
        package var size: TerminalSize

        package init(sessionID: String, size: TerminalSize) {
            self.sessionID = sessionID
            self.size = size
        }

        package init(wire params: RemoteParameters) throws {
            sessionID = try params.terminalID()
            size = try params.terminalSize(default: nil)
        }

        package var wire: JSONValue {
            [
                "sessionId": .string(sessionID), "cols": .integer(Int64(size.columns)),
                "rows": .integer(Int64(size.rows)),
            ]
        }
    }

    package struct Past: MethodParameters, Hashable {
        package var sessionID: String
        /// The number of the first chunk that is wanted; 0 for the newest there are.
        package var first: Int64

        package init(sessionID: String, from first: Int64 = 0) {
            self.sessionID = sessionID
            self.first = first
        }

        package init(wire params: RemoteParameters) throws {
            first = try params.optionalInteger("fromSeq", in: 0...JSONValue.terminalSeqLimit) ?? 0
            sessionID = try params.terminalID()
        }

        package var wire: JSONValue { ["sessionId": .string(sessionID), "fromSeq": .integer(first)] }
    }

    package struct Acknowledgement: MethodParameters, Hashable {
        package var sessionID: String
        /// The last chunk that is shown; 0 for none.
        package var seq: Int64

        package init(sessionID: String, seq: Int64) {
            self.sessionID = sessionID
            self.seq = seq
        }

        package init(wire params: RemoteParameters) throws {
            seq = try params.integer("seq", in: 0...JSONValue.terminalSeqLimit)
            sessionID = try params.terminalID()
        }

        package var wire: JSONValue { ["sessionId": .string(sessionID), "seq": .integer(seq)] }
    }
}
