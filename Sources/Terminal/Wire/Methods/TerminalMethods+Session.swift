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
        /// The window that has this size, as the asker tells it from its others; nil for one that has only one.
        package var viewerID: String?
        /// Whether a person looks at it now, so that the terminal takes its size. If not, it has one for later.
        package var isLooking: Bool

        package init(sessionID: String, size: TerminalSize, viewerID: String? = nil, isLooking: Bool = true) {
            self.sessionID = sessionID
            self.size = size
            self.viewerID = viewerID
            self.isLooking = isLooking
        }

        package init(wire params: RemoteParameters) throws {
            viewerID = try params.viewerID()
            isLooking = try params.flag("looking", default: true)
            sessionID = try params.terminalID()
            size = try params.terminalSize(default: nil)
        }

        package var wire: JSONValue {
            .members([
                "sessionId": .string(sessionID), "cols": .integer(Int64(size.columns)),
                "rows": .integer(Int64(size.rows)), "viewerId": viewerID.map(JSONValue.string),
                "looking": isLooking ? nil : .bool(false),
            ])
        }
    }

    package struct Unsubscribe: MethodParameters, Hashable {
        package var sessionID: String
        /// The window that is closed: the asker's others go on. Nil for all.
        package var viewerID: String?

        package init(_ sessionID: String, viewerID: String? = nil) {
            self.sessionID = sessionID
            self.viewerID = viewerID
        }

        package init(wire params: RemoteParameters) throws {
            viewerID = try params.viewerID()
            sessionID = try params.terminalID()
        }

        package var wire: JSONValue {
            .members(["sessionId": .string(sessionID), "viewerId": viewerID.map(JSONValue.string)])
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
