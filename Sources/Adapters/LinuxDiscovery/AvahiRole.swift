import CAvahi

/// The purpose of one session with avahi-daemon. Every call comes from the session's callbacks, one at a time.
protocol AvahiRole: AnyObject {
    /// The daemon's state changed to anything but failure, which the session handles.
    func clientChanged(_ client: OpaquePointer, to state: AvahiClientState)
}
