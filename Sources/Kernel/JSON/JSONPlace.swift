/// Where something stands in a value. It becomes a path only for an error.
indirect enum JSONPlace {
    case top
    case key(any CodingKey, in: JSONPlace)

    /// The keys from the outside in, as `DecodingError` and `EncodingError` name a place.
    var path: [any CodingKey] {
        var keys: [any CodingKey] = []
        var rest = self
        while case .key(let key, let outer) = rest {
            keys.append(key)
            rest = outer
        }
        return keys.reversed()
    }

    func element(_ index: Int) -> JSONPlace { .key(JSONKey(intValue: index), in: self) }
}

/// A key that no type declares: an element's place in its array, or Codable's own "super".
enum JSONKey: CodingKey {
    case name(String)
    case index(Int)

    static let superclass = JSONKey.name("super")

    init(stringValue: String) { self = .name(stringValue) }
    init(intValue: Int) { self = .index(intValue) }

    /// An element's key has the name that Foundation's decoder gives it, since people read it in refusals of parameters.
    var stringValue: String {
        switch self {
        case .name(let name): name
        case .index(let index): "Index \(index)"
        }
    }

    var intValue: Int? {
        guard case .index(let index) = self else { return nil }
        return index
    }
}
