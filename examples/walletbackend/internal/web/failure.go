package web

import (
	"errors"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/payments"
	"github.com/walletfi/walletfi-go/examples/walletbackend/internal/store"
)

// statusOf is the status and the text of an answer to a request that failed. The
// text of an error that only the operator needs is not shown.
func statusOf(err error) (status int, text string) {
	var invalid *walletfi.ValidationError
	var moved *payments.PriceMovedError
	switch {
	case errors.Is(err, errSignedOut), errors.Is(err, errWrongPassword):
		return http.StatusUnauthorized, err.Error()
	case errors.Is(err, errNoToken):
		return http.StatusForbidden, err.Error()
	case errors.Is(err, errTooMany):
		return http.StatusTooManyRequests, err.Error()
	case errors.Is(err, store.ErrNotFound):
		return http.StatusNotFound, "there is no such thing"
	case errors.Is(err, payments.ErrNotThis), errors.As(err, &moved):
		return http.StatusConflict, err.Error()
	case errors.As(err, &invalid):
		return http.StatusBadRequest, invalid.Error()
	case errors.Is(err, walletfi.ErrRejected), errors.Is(err, walletfi.ErrInvalidRequest),
		errors.Is(err, walletfi.ErrNotFound):
		return http.StatusUnprocessableEntity, err.Error() // the service's own no
	case errors.Is(err, walletfi.ErrUnavailable), errors.Is(err, walletfi.ErrRateLimited):
		return http.StatusBadGateway, "a service does not answer at the moment: try again"
	case store.Busy(err):
		return http.StatusServiceUnavailable, "the database is busy: try again"
	default:
		return http.StatusInternalServerError, "something went wrong here: try again"
	}
}

// fail answers a request that failed.
func (s *Server) fail(w http.ResponseWriter, v *visit, api bool, err error) {
	status, text := statusOf(err)
	if status >= http.StatusInternalServerError {
		s.Log.Error("request failed", "method", v.Method, "path", v.URL.Path, "error", err)
	}
	if api {
		writeJSON(w, status, map[string]string{"error": text})
		return
	}
	if err := s.pages.render(w, status, "failure", page{Title: "This did not work", visit: v, Data: text}); err != nil {
		s.Log.Error("rendering", "error", err)
	}
}
