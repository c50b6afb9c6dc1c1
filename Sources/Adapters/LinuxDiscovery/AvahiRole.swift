import CAvahi

/// What one session with avahi-daemon is for. Every call comes from the session's callbacks, one at a time.
protocol AvahiRole: AnyObject {
    /// The daemon's state changed to anything but failure, which the session handles.
    func clientChanged(_ client: OpaquePointer, to state: AvahiClientState)
}
