/// The relation of a part of a feed to where its reader stands.
package enum FeedRelation: Hashable, Sendable {
    /// The part goes on from here.
    case next
    /// The reader has it already.
    case known
    /// Something before it is missing, and has to be asked for.
    case gap
}

/// A reader's place in a feed whose cursors are opaque. Nothing is taken twice and nothing is missing, because a part counts only where it
/// goes on from here.
package struct FeedReader<Cursor: Hashable & Sendable>: Hashable, Sendable {
    /// Where the reader stands; nil before its first answer.
    package private(set) var cursor: Cursor?

    package init(_ cursor: Cursor? = nil) { self.cursor = cursor }

    /// Takes a part that was told.
    ///
    /// - Parameters:
    ///   - start: The part lies behind this.
    ///   - end: Where the part ends; nil where it moves nobody.
    package mutating func take(after start: Cursor, upTo end: Cursor?) -> FeedRelation {
        // A part that was told before it was asked for ends where the reader stands.
        guard start == cursor else { return end == cursor ? .known : .gap }
        cursor = end ?? cursor
        return .next
    }

    /// Takes an answer.
    ///
    /// - Parameters:
    ///   - asked: Where the reader stood when it asked.
    ///   - end: Where the answer ends; nil where it moves nobody.
    /// - Returns: False where the reader has moved meanwhile: the answer is late, and is dropped.
    package mutating func take(answerTo asked: Cursor?, upTo end: Cursor?) -> Bool {
        guard asked == cursor else { return false }
        cursor = end ?? cursor
        return true
    }
}

/// A place in a feed that numbers its changes. A feed that begins to count anew has another epoch.
package struct FeedPosition: Hashable, Sendable {
    package var epoch: String
    package var number: Int64

    package init(epoch: String, number: Int64) {
        self.epoch = epoch
        self.number = number
    }

    /// - Returns: The relation of the change to a reader that has everything up to here. The numbers of two epochs cannot be compared.
    package func relation(of change: FeedPosition) -> FeedRelation {
        guard change.epoch == epoch else { return .gap }
        guard change.number > number else { return .known }
        return change.number - 1 == number ? .next : .gap
    }
}
