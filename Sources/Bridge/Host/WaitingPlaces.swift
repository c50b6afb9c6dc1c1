/// The places of connections that have yet to prove themselves, each by the number of its arrival. Where there is none left, one gives way: the
/// oldest that has said nothing, else the oldest, since an honest client is through in moments. The newest had no time to say anything.
struct WaitingPlaces<Connection: Hashable> {
    private struct Place {
        let connection: Connection
        let arrival: UInt64
        let key: String
        var hasSpoken = false
    }

    private let addressLimit: Int
    private let totalLimit: Int
    private var places: [Connection: Place] = [:]
    /// The arrival numbers of connections that came and have no place yet.
    private var arrivals: [Connection: UInt64] = [:]
    private var next: UInt64 = 0

    /// - Parameters:
    ///   - addressLimit: Places of one address.
    ///   - totalLimit: Places of all addresses together.
    init(addressLimit: Int, totalLimit: Int) {
        self.addressLimit = addressLimit
        self.totalLimit = totalLimit
    }

    var count: Int { places.count }

    /// Notes the order in which connections came: they enter in another.
    mutating func arrive(_ connection: Connection) {
        next += 1
        arrivals[connection] = next
    }

    /// Gives a connection a place.
    ///
    /// - Parameter key: Of its address.
    /// - Returns: The connections that lose theirs for it: at most two, and itself where it came before all others.
    mutating func enter(_ connection: Connection, from key: String) -> [Connection] {
        if arrivals[connection] == nil { arrive(connection) }
        guard let arrival = arrivals.removeValue(forKey: connection) else { return [] }
        places[connection] = Place(connection: connection, arrival: arrival, key: key)
        var leaving: [Connection] = []
        let own = places.values.filter { $0.key == key }
        if own.count > addressLimit, let first = Self.first(of: own) {
            leaving.append(first)
            places[first] = nil
        }
        if places.count > totalLimit, let first = Self.first(of: Array(places.values)) {
            leaving.append(first)
            places[first] = nil
        }
        return leaving
    }

    /// It asked for something in the form that is expected.
    mutating func speak(_ connection: Connection) { places[connection]?.hasSpoken = true }

    /// It has proved itself, or is closed.
    mutating func leave(_ connection: Connection) {
        places[connection] = nil
        arrivals[connection] = nil
    }

    /// The one that gives way.
    private static func first(of places: [Place]) -> Connection? {
        let oldestFirst = places.sorted { $0.arrival < $1.arrival }
        return (oldestFirst.dropLast().first { !$0.hasSpoken } ?? oldestFirst.first)?.connection
    }
}
