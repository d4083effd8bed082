// Package transport is the one HTTP pipeline that the clients of all services
// run on. A call passes these stages, a file each:
//
//	encode -> [admit -> authorise -> send -> observe -> classify] x attempts -> decode
//
// Admission comes before authorisation, since a token can go stale in the
// queue. What may be repeated is decided by the call's Effect, never by its
// HTTP method: see the table in classify.go.
package transport
