import Glibc
import Kernel

/// Where the session bus of a person listens.
package enum SessionBusAddress {
    /// - Parameter environment: Of the person's session.
    /// - Returns: A D-Bus address of a Unix socket.
    package static func find(in environment: [String: String]) throws(BusError) -> String {
        if let given = environment["DBUS_SESSION_BUS_ADDRESS"], !given.isEmpty {
            // Other kinds run programs or look up names, which may take as long as they like.
            guard let address = given.split(separator: ";").first(where: { $0.hasPrefix("unix:") }) else {
                throw .unreachable(reason: "its address does not name a Unix socket")
            }
            return String(address)
        }
        guard let folder = environment["XDG_RUNTIME_DIR"], folder.hasPrefix("/") else { throw .noSession }
        let path = folder + "/bus"
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { throw .noSession }
        return "unix:path=" + escaped(path)
    }

    /// Source: the D-Bus specification, "Server Addresses".
    package static func escaped(_ path: String) -> String {
        var out = ""
        for byte in path.utf8 {
            if byte.isLetterOrDigit(or: "-_/.") {
                out.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                let digits = String(byte, radix: 16)
                out += "%" + (digits.count < 2 ? "0" : "") + digits
            }
        }
        return out
    }
}
