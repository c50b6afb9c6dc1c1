/// A code as SVG text: sharp at any size.
package struct QRVectorRenderer: Hashable, Sendable {
    /// Light modules around the code.
    package var quietZone: Int

    package init(quietZone: Int = QRMatrix.standardQuietZone) {
        self.quietZone = max(0, quietZone)
    }

    /// One SVG element with its own white ground, so that a dark page cannot show through the code.
    package func render(_ matrix: QRMatrix) -> String {
        let edge = matrix.side + 2 * quietZone
        var path = ""
        for row in 0..<matrix.side {
            for run in matrix.darkRuns(row: row) {
                path += "M\(run.lowerBound + quietZone) \(row + quietZone)h\(run.count)v1h-\(run.count)z"
            }
        }
        return """
            <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(edge) \(edge)" shape-rendering="crispEdges" \
            role="img" aria-label="QR code"><rect width="\(edge)" height="\(edge)" fill="#fff"/>\
            <path d="\(path)" fill="#000"/></svg>

            """
    }
}
