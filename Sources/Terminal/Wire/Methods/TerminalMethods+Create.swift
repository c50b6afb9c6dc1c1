package import Commands
package import Kernel

extension TerminalMethods {
    package struct Create: MethodParameters, Hashable {
        /// Its arguments do not travel: a phone starts shells as a login does.
        package var request: TerminalRequest
        /// The asker's own mark, which events of the terminal carry. At most 256 bytes.
        package var projectID: String?
        /// Whether the asker says what it has shown: see ``TerminalMethods/acknowledge``.
        package var acknowledges: Bool
        /// The window that shows it, as in ``Resize/viewerID``.
        package var viewerID: String?

        package init(
            _ request: TerminalRequest,
            projectID: String? = nil,
            acknowledges: Bool = false,
            viewerID: String? = nil
        ) {
            self.viewerID = viewerID
            self.request = request
            self.projectID = projectID
            self.acknowledges = acknowledges
        }

        package init(wire params: RemoteParameters) throws {
            projectID = try params.optionalText("projectId", limit: 256)
            acknowledges = try params.flag("acknowledges")
            viewerID = try params.viewerID()
            request = TerminalRequest(
                shell: try Self.path("shell", in: params),
                environment: try TerminalEnvironment.read(params.value["env"]),
                folder: try Self.path("cwd", in: params),
                size: try params.terminalSize(default: .standard)
            )
        }

        package var wire: JSONValue {
            .members([
                "cols": .integer(Int64(request.size.columns)), "rows": .integer(Int64(request.size.rows)),
                "env": .object(request.environment.mapValues(JSONValue.string)),
                "shell": request.shell.map(JSONValue.string), "cwd": request.folder.map(JSONValue.string),
                "projectId": projectID.map(JSONValue.string), "acknowledges": acknowledges ? .bool(true) : nil,
                "viewerId": viewerID.map(JSONValue.string),
            ])
        }

        /// Nil where nothing was given. A NUL would end the path early for the system.
        private static func path(_ name: String, in params: RemoteParameters) throws -> String? {
            guard let text = try params.optionalText(name), !text.isEmpty else { return nil }
            guard !text.utf8.contains(0) else { throw RemoteFailure.badParameter(name, "a text without NUL") }
            return text
        }
    }

    /// A terminal that was opened. Other programs leave out all but its id.
    package struct Created: MethodAnswer, Hashable {
        package var sessionID: String
        package var processID: Int32?
        /// The shell's path.
        package var shell: String?
        /// The folder that it was started in, absolute.
        package var folder: String?
        /// Milliseconds since 1970-01-01T00:00:00Z, by the computer's clock.
        package var createdAtMilliseconds: Int64?
        package var projectID: String?

        package init(
            sessionID: String,
            processID: Int32? = nil,
            shell: String? = nil,
            folder: String? = nil,
            createdAtMilliseconds: Int64? = nil,
            projectID: String? = nil
        ) {
            self.sessionID = sessionID
            self.processID = processID
            self.shell = shell
            self.folder = folder
            self.createdAtMilliseconds = createdAtMilliseconds
            self.projectID = projectID
        }

        package init(wire: JSONValue) throws(RemoteError) {
            guard let id = wire["sessionId"]?.terminalID else { throw .malformedResult }
            sessionID = id
            processID = wire["pid"]?.integerValue.flatMap(Int32.init(exactly:))
            shell = wire["shell"]?.stringValue
            folder = wire["cwd"]?.stringValue
            createdAtMilliseconds = wire["createdAt"]?.integerValue
            projectID = wire["projectId"]?.stringValue
        }

        package var wire: JSONValue {
            [
                "sessionId": .string(sessionID), "pid": .orNull(processID.map(Int64.init)), "shell": .orNull(shell),
                "cwd": .orNull(folder), "createdAt": .orNull(createdAtMilliseconds), "projectId": .orNull(projectID),
            ]
        }
    }
}
