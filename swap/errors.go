package swap

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/walletfi/walletfi-go"
)

// Starting reports whether err is a 503, which the service returns while it
// starts. Calls that are safe to repeat have been repeated already.
func Starting(err error) bool {
	response, ok := errors.AsType[*walletfi.ResponseError](err)
	return ok && response.StatusCode == http.StatusServiceUnavailable
}

// OrderEndedError reports an order that expired or failed. Status says what was
// filled nevertheless. It is a [walletfi.ErrRejected].
type OrderEndedError struct {
	Signature string
	Status    OrderStatus
}

// Error names the order and its state.
func (e *OrderEndedError) Error() string {
	return fmt.Sprintf("swap: order %s ended as %s", e.Signature, e.Status.Status)
}

// Unwrap returns [walletfi.ErrRejected].
func (e *OrderEndedError) Unwrap() error { return walletfi.ErrRejected }
