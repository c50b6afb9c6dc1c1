#if os(macOS)
    public import Remote
    import SystemTools

    /// The clipboard through pbcopy and pbpaste, which know plain text only.
    public struct MacClipboard: Clipboard {
        private static let paste = SystemTool("pbpaste", package: "macOS")
        private static let copy = SystemTool("pbcopy", package: "macOS")
        private static let offer = "text/plain;charset=utf-8"

        private let runner: ToolRunner

        /// - Parameter environment: Of the person's session.
        public init(environment: [String: String]) {
            // Without a UTF-8 locale both tools speak an encoding of the last century.
            runner = ToolRunner(environment: environment.merging(["LC_CTYPE": "UTF-8"]) { $1 })
        }

        public func offers() async throws -> [String] {
            try await read(Self.offer, limit: 8 << 20).isEmpty ? [] : [Self.offer]
        }

        public func read(_ offer: String, limit: Int) async throws -> [UInt8] {
            let result = try await runner.run(Self.paste, ["-Prefer", "txt"], outputLimit: limit)
            guard result.isSuccess else { throw ToolError.failed(tool: Self.paste.name, reason: result.complaint) }
            return result.output
        }

        public func write(_ bytes: [UInt8], as kind: ClipboardKind) async throws {
            guard kind == .text else {
                throw ToolError.unsupported(purpose: "Anything but text on the clipboard")
            }
            guard try await runner.feed(bytes, to: Self.copy, []) else {
                throw ToolError.failed(tool: Self.copy.name, reason: "there is no session to copy in")
            }
        }

        /// What `tandem doctor` tells of it.
        public static func checks(environment: [String: String]) async -> [DoctorCheck] {
            do {
                _ = try await MacClipboard(environment: environment).offers()
                return [DoctorCheck(name: "Clipboard", works: true, detail: "text, by pbcopy and pbpaste")]
            } catch {
                return [DoctorCheck(name: "Clipboard", works: false, detail: "\(error)")]
            }
        }
    }
#endif
