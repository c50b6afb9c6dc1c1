import Signaling
