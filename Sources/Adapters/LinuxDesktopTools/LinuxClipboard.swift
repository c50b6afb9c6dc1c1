package import Capabilities
package import Clipboard
import ClipboardHost
import CommandServer
package import Kernel
import SystemTools

/// The session's clipboard through xclip, or wl-copy and wl-paste.
package struct LinuxClipboard: ClipboardAccess {
    private static let xclip = SystemTool("xclip", package: "xclip")
    private static let paste = SystemTool("wl-paste", package: "wl-clipboard")
    private static let copy = SystemTool("wl-copy", package: "wl-clipboard")

    /// How often, and after which pause, what was set is looked for.
    private static let looks = 50
    private static let pause: Duration = .milliseconds(20)

    /// Answers of the window system about itself: no content that was copied.
    private static let notContent: Set<String> = ["TARGETS", "TIMESTAMP", "MULTIPLE", "SAVE_TARGETS", "DELETE", "INCR"]

    /// How this session's clipboard is reached.
    private enum Way {
        case xclip
        /// - Parameter isQuiet: False where each look takes the focus.
        case wayland(isQuiet: Bool)
    }

    private let runner: ToolRunner
    private let time: any TimeSource
    private let control: DataControl

    /// - Parameter environment: Of the person's session.
    package init(environment: [String: String], time: any TimeSource = .system) {
        runner = ToolRunner(environment: environment, time: time)
        self.time = time
        control = DataControl(
            ToolRunner(environment: environment, time: time, timeout: DataControl.patience),
            paste: Self.paste
        )
    }

    package func offers() async throws -> [String] {
        let result = try await look(at: "TARGETS", ["--list-types"], limit: 64 << 10)
        return (result?.text ?? "").split(whereSeparator: \.isNewline).map(String.init)
            .filter { !Self.notContent.contains($0) }
    }

    package func read(_ offer: String, limit: Int) async throws -> [UInt8] {
        let arguments = ["--no-newline", "--type", offer]
        return try await look(at: offer, arguments, limit: limit, emptySaying: "No suitable")?.output ?? []
    }

    /// - Parameters:
    ///   - target: What xclip is asked for.
    ///   - arguments: What wl-paste is asked for.
    ///   - text: What wl-paste says, too, of a clipboard without it.
    /// - Returns: Nil where there is none of it: that ends the tools with an error as well.
    private func look(at target: String, _ arguments: [String], limit: Int, emptySaying text: String? = nil)
        async throws -> ToolResult?
    {
        let tool: SystemTool
        let result: ToolResult
        let empty: [String]
        switch try await way() {
        case .xclip:
            (tool, empty) = (Self.xclip, ["not available"])
            let arguments = ["-selection", "clipboard", "-out", "-target", target]
            result = try await runner.run(tool, arguments, outputLimit: limit)
        case .wayland:
            (tool, empty) = (Self.paste, ["No selection", "Nothing is copied"] + (text.map { [$0] } ?? []))
            result = try await runner.run(tool, arguments, outputLimit: limit)
        }
        if !result.isSuccess, empty.contains(where: result.complaint.contains) { return nil }
        return try result.successful(tool)
    }

    package func write(_ bytes: [UInt8], as kind: ClipboardKind) async throws {
        let tool: SystemTool
        let offer: String
        switch try await way() {
        case .xclip:
            (tool, offer) = (Self.xclip, try target(for: kind, text: "UTF8_STRING"))
            try await set(bytes, by: tool, ["-selection", "clipboard", "-in", "-target", offer])
        case .wayland(let isQuiet) where bytes.isEmpty:
            // wl-copy offers nothing of no bytes: the clipboard holds nothing then.
            try await set(bytes, by: Self.copy, ["--clear"])
            guard isQuiet else { return }
            for look in 0..<Self.looks {
                if look > 0 { try await time.sleep(for: Self.pause) }
                if try await offers().isEmpty { return }
            }
            throw ToolError.failed(tool: Self.copy.name, reason: "another program took the clipboard")
        case .wayland(let isQuiet):
            (tool, offer) = (Self.copy, try target(for: kind, text: "text/plain;charset=utf-8"))
            try await set(bytes, by: tool, ["--type", offer])
            guard isQuiet else { return }
        }
        // The tool's child process takes the clipboard over in its own time: a program that pastes now must not get the old content.
        for look in 0..<Self.looks {
            if look > 0 { try await time.sleep(for: Self.pause) }
            if try await offers().contains(offer), try await holds(bytes, as: offer) { return }
        }
        throw ToolError.failed(tool: tool.name, reason: "another program took the clipboard")
    }

    private func holds(_ bytes: [UInt8], as offer: String) async throws -> Bool {
        do {
            return try await read(offer, limit: bytes.count) == bytes
        } catch ToolError.outputTooLarge {
            return false  // what was there before
        }
    }

    private func set(_ bytes: [UInt8], by tool: SystemTool, _ arguments: [String]) async throws {
        guard try await runner.feed(bytes, to: tool, arguments) else {
            throw ToolError.failed(tool: tool.name, reason: "the graphical session did not let it in")
        }
    }

    package func checkWatching() async throws {
        guard case .wayland(isQuiet: false) = try await way() else { return }
        throw ToolError.unsupported(purpose: Self.watching)
    }

    package func notices() async -> (any AsyncSequence<Void, Never> & Sendable)? {
        guard let way = try? await way() else { return nil }
        switch way {
        case .xclip:
            return await SelectionNotices.stream(
                display: runner.variable("DISPLAY") ?? "",
                authority: runner.variable("XAUTHORITY") ?? runner.variable("HOME").map { $0 + "/.Xauthority" }
            )
        case .wayland(isQuiet: true):
            // Its first word is of what is there already.
            guard let isEmpty = try? await offers().isEmpty, let signs = try? runner.signs(of: Self.paste, Self.watch)
            else { return nil }
            return isEmpty ? signs : signs.dropFirst()
        case .wayland(isQuiet: false): return nil
        }
    }

    /// `wl-paste` says a line for each copy, and ends when nobody reads them any more: also where this process was killed.
    private static let watch = ["--watch", "sh", "-c", "trap '' PIPE; echo || kill $PPID"]

    private static let watching = """
        Watching the clipboard (this session's compositor lets programs see it only through a window, which takes the focus at each \
        look, and it has no DISPLAY for X11's tools)
        """

    /// X11's tools serve a Wayland session as well where its own would take the focus.
    private func way() async throws -> Way {
        switch try GraphicalSession(runner, for: "The clipboard") {
        case .x11: return .xclip
        case .wayland:
            if try await control.isThere() { return .wayland(isQuiet: true) }
            return runner.variable("DISPLAY") != nil && runner.isInstalled(Self.xclip)
                ? .xclip : .wayland(isQuiet: false)
        }
    }

    private func target(for kind: ClipboardKind, text: String) throws(ToolError) -> String {
        switch kind {
        case .text: text
        case .html: "text/html"
        case .image: "image/png"
        case .files: throw .unsupported(purpose: "Putting files on the clipboard")
        }
    }

    /// The checks of the clipboard for `tandem doctor`.
    package static func checks(environment: [String: String]) async -> [DoctorCheck] {
        let clipboard = LinuxClipboard(environment: environment)
        do {
            let way = try await clipboard.way()
            _ = try await clipboard.offers()
            guard case .wayland(let isQuiet) = way else {
                return [
                    DoctorCheck(name: "Clipboard", works: true, detail: "read and set by xclip")
                        .saying("clipboardBy", ["tools": "xclip"])
                ]
            }
            guard clipboard.runner.isInstalled(copy) else {
                throw ToolError.missing(tool: copy.name, package: copy.package)
            }
            let rest = isQuiet ? "" : "; not watched, because the compositor lets each look take the focus"
            return [
                DoctorCheck(name: "Clipboard", works: true, detail: "read and set by wl-copy and wl-paste\(rest)")
                    .saying(isQuiet ? "clipboardBy" : "clipboardNotWatched", ["tools": "wl-copy, wl-paste"])
            ]
        } catch {
            return [DoctorCheck(name: "Clipboard", failure: error)]
        }
    }
}
