import CBenchmarkIO
import Glibc
import Kernel

/// Asks a running role on its control socket, one request after the other, and waits for each answer.
final class ControlSocket {
    private let socket: Int32
    private var received: [UInt8] = []
    private var nextID: Int64 = 1

    /// - Parameter patience: A role says its ports first and opens this socket a moment later: how many seconds to wait for that.
    init(folder: String, patience: Double = 5) throws(FloodError) {
        let end = HalfLoad.now() + patience
        var connected = benchmark_connect_path(folder + "/control.sock")
        while connected < 0, HalfLoad.now() < end {
            usleep(20_000)
            connected = benchmark_connect_path(folder + "/control.sock")
        }
        guard connected >= 0 else { throw .system("connect to \(folder)/control.sock") }
        socket = connected
    }

    deinit { close(socket) }

    /// - Throws: ``FloodError``: no answer in time, or a refusal.
    func ask(_ method: String, _ parameters: JSONValue = .object([:]), seconds: Int = 20) throws -> JSONValue {
        let id = nextID
        nextID += 1
        let request: JSONValue = ["id": .integer(id), "method": .string(method), "params": parameters]
        let line = request.canonicalBytes + [UInt8(ascii: "\n")]
        guard send(socket, line, line.count, Int32(MSG_NOSIGNAL)) == line.count else { throw FloodError.system("send") }
        let end = HalfLoad.now() + Double(seconds)
        while true {
            let answer = try JSONValue(parsing: readLine(method, until: end))
            // What came too late for an earlier request is passed over, and so is progress.
            guard answer["id"]?.integerValue == id, answer["item"] == nil else { continue }
            if let reason = answer["error"]?.stringValue { throw FloodError.refused(what: method, answer: reason) }
            return answer["result"] ?? .null
        }
    }

    private func readLine(_ method: String, until end: Double) throws -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 64 * 1024)
        while true {
            if let newline = received.firstIndex(of: UInt8(ascii: "\n")) {
                defer { received.removeFirst(newline + 1) }
                return Array(received[..<newline])
            }
            let left = end - HalfLoad.now()
            var waiting = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            guard left > 0, poll(&waiting, 1, Int32(left * 1000) + 1) > 0 else {
                throw FloodError.noAnswer(what: method)
            }
            let count = recv(socket, &buffer, buffer.count, 0)
            guard count > 0 else { throw FloodError.system("recv for \(method)") }
            received += buffer.prefix(count)
        }
    }
}
