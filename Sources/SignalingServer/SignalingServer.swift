import Crypto
import Hummingbird
import GRDB
import Metrics
import NIOSSL
import ServiceLifecycle
import NIOHTTP1
