/// Makes codes from text.
package protocol QRCodeMaker: Sendable {
    /// The smallest code of `level` that holds `text` as UTF-8.
    ///
    /// - Throws: ``QRError/textTooLong(bytes:limit:)`` when no code is large enough, ``QRError/emptyText``.
    func code(for text: String, level: QRErrorCorrection) throws(QRError) -> QRMatrix
}

extension QRCodeMaker {
    /// The code for `text` at the level that scans best: see ``QRCapacity/recommendedLevel(forByteCount:printedMillimetres:)``.
    package func code(for text: String) throws(QRError) -> QRMatrix {
        try code(for: text, level: QRCapacity.recommendedLevel(forByteCount: text.utf8.count))
    }
}
