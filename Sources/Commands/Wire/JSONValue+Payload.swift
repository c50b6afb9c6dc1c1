import Kernel

extension JSONValue {
    /// An envelope's payload, whichever of the two observed forms it has: an object, or a JSON text of one.
    var payloadObject: [String: JSONValue]? {
        self["payload"]?.parsedIfText()?.objectValue
    }
}
