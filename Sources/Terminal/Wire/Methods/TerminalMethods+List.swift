package import Commands
package import Kernel

extension TerminalMethods {
    package struct List: MethodParameters, Hashable {
        /// The only terminal that is subscribed to; nil for all. The answer has all of them in any case.
        package var sessionID: String?
        /// Whether the asker is sent what the terminals write from here on.
        package var subscribes: Bool
        /// Whether the asker says what it has shown; nil: as before, at first not.
        package var acknowledges: Bool?

        package init(sessionID: String? = nil, subscribes: Bool = true, acknowledges: Bool? = nil) {
            self.sessionID = sessionID
            self.subscribes = subscribes
            self.acknowledges = acknowledges
        }

        package init(wire params: RemoteParameters) throws {
            sessionID = try params.optionalText("sessionId", limit: JSONValue.terminalIDLimit)
            acknowledges = params.has("acknowledges") ? try params.flag("acknowledges") : nil
            subscribes = try params.flag("subscribe", default: true)
        }

        package var wire: JSONValue {
            .members([
                "sessionId": sessionID.map(JSONValue.string), "subscribe": subscribes ? nil : .bool(false),
                "acknowledges": acknowledges.map(JSONValue.bool),
            ])
        }
    }

    package struct Listing: MethodAnswer, Hashable {
        /// The one opened first at the beginning.
        package var sessions: [TerminalEntry]
        /// The names of the shells that the computer has, the login shell first; nil for a computer that does not say it.
        package var shells: [String]?

        package init(_ sessions: [TerminalEntry], shells: [String]? = nil) {
            self.sessions = sessions
            self.shells = shells
        }

        /// Reads a list that stands alone, too. An entry without an id is left out.
        package init(wire: JSONValue) throws(RemoteError) {
            let list: [JSONValue]
            if case .array(let names)? = wire["shells"] { shells = names.compactMap(\.stringValue) }
            switch wire {
            case .array(let entries): list = entries
            case .object(let members):
                switch members["sessions"] {
                case nil, .null?: list = []
                case .array(let entries)?: list = entries
                default: throw .malformedResult
                }
            default: throw .malformedResult
            }
            sessions = list.compactMap(TerminalEntry.init(wire:))
        }

        package var wire: JSONValue {
            .members([
                "sessions": .array(sessions.map(\.wire)), "shells": shells.map { .array($0.map(JSONValue.string)) },
            ])
        }

        package subscript(id: String) -> TerminalEntry? { sessions.first { $0.id == id } }
    }
}
