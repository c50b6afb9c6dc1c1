/// Where secret keys are kept: the Keychain on Apple's systems, ``FileKeyStore`` elsewhere. Calls block.
package protocol KeyStorePort: Sendable {
    /// Nil where there is no key of that name.
    func key(named name: String) throws(GenerationsError) -> [UInt8]?
    /// Adds or replaces a key; it is kept durably when this returns.
    func store(_ bytes: [UInt8], named name: String) throws(GenerationsError)
    /// Does nothing where there is no such key.
    func remove(named name: String) throws(GenerationsError)
    func names(withPrefix prefix: String) throws(GenerationsError) -> [String]
}
