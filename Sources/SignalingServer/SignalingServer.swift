import Crypto
import GRDB
import Hummingbird
import Metrics
import NIOHTTP1
import NIOSSL
import ServiceLifecycle
