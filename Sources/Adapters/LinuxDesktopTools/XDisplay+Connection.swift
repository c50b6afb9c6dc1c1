import CXCB
import Foundation

extension XDisplay {
    /// Bytes of the file with the servers' cookies.
    private static let authorityLimit = 1 << 20

    /// Connects to the server. Waits for it, and gives back a connection also where that failed: `xcb_connection_has_error` says so.
    ///
    /// - Parameter authority: The path of the file with the servers' cookies.
    func connect(authority: String?) -> OpaquePointer? {
        guard let cookie = cookie(in: authority) else { return xcb_connect(name, nil) }
        var (method, data) = (XAuthority.method.map(CChar.init(bitPattern:)), cookie.map(CChar.init(bitPattern:)))
        return method.withUnsafeMutableBufferPointer { method in
            data.withUnsafeMutableBufferPointer { data in
                var info = xcb_auth_info_t(
                    namelen: Int32(method.count),
                    name: method.baseAddress,
                    datalen: Int32(data.count),
                    data: data.baseAddress
                )
                return xcb_connect_to_display_with_auth_info(name, &info, nil)
            }
        }
    }

    private func cookie(in file: String?) -> [UInt8]? {
        guard let file, let handle = FileHandle(forReadingAtPath: file),
            let bytes = try? handle.read(upToCount: Self.authorityLimit)
        else { return nil }
        return XAuthority.cookie(for: self, in: Array(bytes))
    }
}
