package transport

import (
	"errors"
	"fmt"

	"github.com/walletfi/walletfi-go"
)

// Unsent makes the error of a Relay call answer to walletfi.ErrNotSent if the
// signed bytes certainly did not leave: the request was refused here, or no
// attempt reached the service. An answer of the service's, whatever it says, is
// no proof of that: a gateway may have replayed the request, and then the answer
// is about the second time.
func Unsent(err error) error {
	_, answered := errors.AsType[*walletfi.ResponseError](err)
	if err == nil || answered || errors.Is(err, walletfi.ErrOutcomeUnknown) {
		return err
	}
	return fmt.Errorf("%w: %w", walletfi.ErrNotSent, err)
}
