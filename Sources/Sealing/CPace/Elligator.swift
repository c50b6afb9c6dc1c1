/// Elligator 2: the map from numbers to points of Curve25519 whose discrete logarithm stays unknown.
enum Elligator {
    /// The u-coordinate for `number` by Elligator 2, for v^2 = u^3 + A u^2 + u with A = 486662 and the non-square 2. It runs in
    /// constant time: both candidates are combined by arithmetic.
    static func map(_ number: FieldElement) -> FieldElement {
        let curveA = FieldElement(small: 486_662)
        let halfA = FieldElement(small: 243_331)
        let zero = FieldElement(small: 0)
        let one = FieldElement(small: 1)
        let two = FieldElement(small: 2)
        let candidate = zero - curveA * (one + two * number * number).inverse
        let square = candidate * candidate
        let sign = (square * candidate + curveA * square + candidate).legendreSymbol
        return sign * candidate - (one - sign) * halfA
    }
}
