import ArgumentParser

/// The trust that a person may give beyond the safe defaults.
struct TrustOptions: ParsableArguments {
    @Flag(help: "Pair with a program that cannot seal too. Whoever carries its messages can read and change them.")
    var allowUnsealed = false

    @Flag(help: "Accept that a device that was paired before has a new key, after it was set up anew.")
    var acceptNewIdentity = false
}
