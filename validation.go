package walletfi

import "fmt"

// ValidationError is a request or a configuration that was refused before
// anything was sent. It answers to [ErrInvalidRequest].
type ValidationError struct {
	Field   string // as it is named on the wire, such as "partnerFeeBps"
	Problem string // what is wrong and what would be right; never a secret
}

// Error is "invalid request: field: problem".
func (e *ValidationError) Error() string {
	return fmt.Sprintf("invalid request: %s: %s", e.Field, e.Problem)
}

// Unwrap returns ErrInvalidRequest.
func (e *ValidationError) Unwrap() error { return ErrInvalidRequest }
