import Transport
