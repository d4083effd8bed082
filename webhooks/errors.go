package webhooks

import "errors"

// The errors of a [Verifier]: why a delivery is not accepted as the service's.
var (
	ErrSignature = errors.New("webhooks: the signature does not match")
	ErrHeaders   = errors.New("webhooks: a signature header is missing or malformed")
	ErrTimestamp = errors.New("webhooks: the timestamp is outside the window")
	ErrTooLarge  = errors.New("webhooks: the body is too large")
	ErrBody      = errors.New("webhooks: the body could not be read")
)
