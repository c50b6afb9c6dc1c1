public import Commands
public import Kernel

extension TerminalMethods {
    /// Names a terminal and says nothing more.
    public struct Session: MethodParameters, Hashable {
        public var sessionID: String

        public init(_ sessionID: String) { self.sessionID = sessionID }

        public init(wire params: RemoteParameters) throws { sessionID = try params.terminalID() }

        public var wire: JSONValue { ["sessionId": .string(sessionID)] }
    }

    public struct Resize: MethodParameters, Hashable {
        public var sessionID: String
        public var size: TerminalSize

        public init(sessionID: String, size: TerminalSize) {
            self.sessionID = sessionID
            self.size = size
        }

        public init(wire params: RemoteParameters) throws {
            sessionID = try params.terminalID()
            size = try params.terminalSize(default: nil)
        }

        public var wire: JSONValue {
            [
                "sessionId": .string(sessionID), "cols": .integer(Int64(size.columns)),
                "rows": .integer(Int64(size.rows)),
            ]
        }
    }

    public struct Past: MethodParameters, Hashable {
        public var sessionID: String
        /// The number of the first chunk that is wanted; 0 for the newest there are.
        public var first: Int64

        public init(sessionID: String, from first: Int64 = 0) {
            self.sessionID = sessionID
            self.first = first
        }

        public init(wire params: RemoteParameters) throws {
            first = try params.optionalInteger("fromSeq", in: 0...JSONValue.terminalSeqLimit) ?? 0
            sessionID = try params.terminalID()
        }

        public var wire: JSONValue { ["sessionId": .string(sessionID), "fromSeq": .integer(first)] }
    }

    public struct Acknowledgement: MethodParameters, Hashable {
        public var sessionID: String
        /// The last chunk that is shown; 0 for none.
        public var seq: Int64

        public init(sessionID: String, seq: Int64) {
            self.sessionID = sessionID
            self.seq = seq
        }

        public init(wire params: RemoteParameters) throws {
            seq = try params.integer("seq", in: 0...JSONValue.terminalSeqLimit)
            sessionID = try params.terminalID()
        }

        public var wire: JSONValue { ["sessionId": .string(sessionID), "seq": .integer(seq)] }
    }
}
