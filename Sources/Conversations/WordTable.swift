/// The words of an open set, one for each case that is known here. Of two words for one case the first is written.
package typealias WordTable<Case> = KeyValuePairs<String, Case>

extension KeyValuePairs where Key == String, Value: Equatable {
    /// Nil for a word that is not known here.
    package func known(_ word: String) -> Value? { first { $0.key == word }?.value }

    /// The word of a case that has one; a case that keeps its own word has none. Not for what is raw representable: such values are compared by
    /// the words that are asked for here.
    package func word(of value: Value) -> String { first { $0.value == value }?.key ?? "" }
}
