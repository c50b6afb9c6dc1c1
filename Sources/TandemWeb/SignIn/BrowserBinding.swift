package import Kernel

/// A method of the role that works for the browser that calls it, for as long as that browser is signed in.
package struct BrowserBinding: Sendable {
    /// In full, as in `ControlRequest/method`.
    package let method: String
    /// Whether a call with these parameters begins it. Other calls leave it as it is.
    package let begins: @Sendable (_ params: JSONValue) -> Bool
    /// The parameters of the method's call once the browser is signed out.
    package let ending: JSONValue

    package init(_ method: String, ending: JSONValue, begins: @escaping @Sendable (_ params: JSONValue) -> Bool) {
        self.method = method
        self.ending = ending
        self.begins = begins
    }
}
