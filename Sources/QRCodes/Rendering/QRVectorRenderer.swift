/// Renders a code as SVG text, which is sharp at any size.
package struct QRVectorRenderer: Hashable, Sendable {
    /// The width of the border in light modules.
    package var quietZone: Int

    package init(quietZone: Int = QRMatrix.standardQuietZone) {
        self.quietZone = max(0, quietZone)
    }

    /// One SVG element with a white background of its own, so that a dark page does not show through the code.
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
