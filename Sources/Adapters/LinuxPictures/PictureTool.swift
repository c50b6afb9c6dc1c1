import Glibc

/// Where the program that reads pictures is.
package enum PictureTool {
    package static let name = "tandem-pictures"
    /// The environment's variable that names another program.
    package static let variable = "TANDEM_PICTURES"

    /// The path that `environment` names, else beside this program.
    package static func path(environment: [String: String] = [:]) -> String {
        if let chosen = environment[variable], !chosen.isEmpty { return chosen }
        return folder.map { "\($0)/\(name)" } ?? name
    }

    /// The folder of the running program, whatever link it was started by; nil where the system does not say it.
    private static var folder: String? {
        let path = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer -> String? in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink("/proc/self/exe", start, buffer.count)
            // A path that fills the buffer may be cut.
            guard count > 0, count < buffer.count else { return nil }
            return String(decoding: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self)
        }
        guard let path, let end = path.lastIndex(of: "/") else { return nil }
        return String(path[..<end])
    }
}
