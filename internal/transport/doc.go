// Package transport is the HTTP pipeline of all services' clients. A call passes these stages:
//
//	encode -> [admit -> authorise -> send -> observe -> judge] x attempts -> prove -> decode
//
// Admission comes before authorisation, since a token can go stale in the
// queue. What may be repeated is decided by the call's Effect, never by its
// HTTP method: see the table in policy.go. The attempts
// run in go-retryablehttp's loop, one a client, by that policy: loop.go. What an answer
// of the other end means is decided in internal/peer, and internal/bearer renews tokens.
package transport
