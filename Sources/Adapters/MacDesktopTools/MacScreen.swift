#if os(macOS)
    import CoreGraphics
    import Foundation
    public import Remote
    import SystemTools

    /// The screens, pictured by screencapture. macOS asks the person once to allow it, and leaves windows out until then.
    public struct MacScreen: Screen {
        private static let tool = SystemTool("screencapture", package: "macOS")
        private static let displayLimit: UInt32 = 32

        private let runner: ToolRunner

        /// - Parameter environment: Of the person's session.
        public init(environment: [String: String]) {
            runner = ToolRunner(environment: environment)
        }

        public func displays() async throws -> [Display] {
            var ids = [CGDirectDisplayID](repeating: 0, count: Int(Self.displayLimit))
            var count: UInt32 = 0
            guard CGGetActiveDisplayList(Self.displayLimit, &ids, &count) == .success, count > 0 else {
                throw ToolError.failed(tool: "The list of displays", reason: "it names none")
            }
            let displays = ids.prefix(Int(count)).map { id in
                let bounds = CGDisplayBounds(id)
                return Display(
                    id: 0,
                    name: "Display \(id)",
                    x: Int(bounds.minX),
                    y: Int(bounds.minY),
                    width: CGDisplayPixelsWide(id),
                    height: CGDisplayPixelsHigh(id),
                    isPrimary: CGDisplayIsMain(id) != 0
                )
            }
            return Display.numbered(displays)
        }

        public func capture(_ display: Display?) async throws -> [UInt8] {
            // screencapture writes to files only: a folder that nobody else may read, for a moment.
            let folder = FileManager.default.temporaryDirectory.appending(path: "tandem-\(UUID().uuidString)")
            try FileManager.default.createDirectory(
                at: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            defer { try? FileManager.default.removeItem(at: folder) }  // the system empties its temporary folder itself
            let file = folder.appending(path: "screen.png")
            // It numbers displays from 1, the main one first.
            let number = (display?.id ?? 0) + 1
            let arguments = ["-x", "-t", "png", "-D", "\(number)", file.path]
            let result = try await runner.run(Self.tool, arguments, outputLimit: 64 << 10)
            guard result.isSuccess, let picture = FileManager.default.contents(atPath: file.path) else {
                let reason = result.complaint.isEmpty ? "it gave no picture" : result.complaint
                throw ToolError.failed(tool: Self.tool.name, reason: reason)
            }
            return Array(picture)
        }

        /// What `tandem doctor` tells of it.
        public static func checks(environment: [String: String]) async -> [DoctorCheck] {
            do {
                let picture = try await MacScreen(environment: environment).capture(nil)
                return [DoctorCheck(name: "Screen", works: true, detail: "read as a picture of \(picture.count) bytes")]
            } catch {
                return [DoctorCheck(name: "Screen", works: false, detail: "\(error)")]
            }
        }
    }
#endif
