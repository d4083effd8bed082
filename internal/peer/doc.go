// Package peer reads the signs that the other end of a connection gives, alike
// for HTTP calls, WebSocket handshakes and JSON-RPC calls: what a status means
// and whether it is final, how long the peer asks to wait, whether a failed
// request may have reached it, and to which addresses plain HTTP may go. It
// also masks the credentials that a peer repeats.
//
// internal/transport, internal/wsconn and rpcnode share it and have no rules of
// their own for these questions. TestOneWire runs the same cases through all
// three.
package peer
