package swap

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/walletfi/walletfi-go"
)

// Starting reports whether err is the service's 503, which it answers while it
// initialises. Calls that are safe to repeat were repeated already.
func Starting(err error) bool {
	response, ok := errors.AsType[*walletfi.ResponseError](err)
	return ok && response.StatusCode == http.StatusServiceUnavailable
}

// OrderEndedError is an order that ended without success: expired or failed.
// Status says what was filled all the same. It answers to
// walletfi.ErrRejected.
type OrderEndedError struct {
	Signature string
	Status    OrderStatus
}

// Error names the order and its state.
func (e *OrderEndedError) Error() string {
	return fmt.Sprintf("swap: order %s ended as %s", e.Signature, e.Status.Status)
}

// Unwrap returns walletfi.ErrRejected.
func (e *OrderEndedError) Unwrap() error { return walletfi.ErrRejected }
