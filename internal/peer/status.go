package peer

import (
	"net/http"

	"github.com/walletfi/walletfi-go"
)

// Kind returns the sentinel for the status of an answer that is not a result,
// if no code of the service says more.
func Kind(status int) error {
	switch {
	case status < 300:
		return walletfi.ErrDecode
	case status < 400:
		return walletfi.ErrRedirect
	case status >= 500:
		return walletfi.ErrUnavailable
	}
	switch status {
	case http.StatusUnauthorized:
		return walletfi.ErrUnauthorized
	case http.StatusForbidden:
		return walletfi.ErrForbidden
	case http.StatusNotFound:
		return walletfi.ErrNotFound
	case http.StatusTooManyRequests:
		return walletfi.ErrRateLimited
	case http.StatusPaymentRequired, http.StatusConflict:
		return walletfi.ErrRejected
	case http.StatusRequestTimeout, http.StatusTooEarly:
		return walletfi.ErrUnavailable
	}
	return walletfi.ErrInvalidRequest
}

// Final reports whether repeating the request cannot change the answer: all
// redirects and most of 4xx, and the 5xx by which a server says that it never
// serves such a request. A success is not final: its body may have been
// garbled on the way.
func Final(status int) bool {
	switch status {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return false
	case http.StatusNotImplemented, http.StatusHTTPVersionNotSupported, http.StatusNetworkAuthenticationRequired:
		return true
	}
	return status >= 300 && status < 500
}

// MayHaveRun reports whether a request that was answered with this status may
// have been carried out all the same. Of the 3xx, only those that ask for the
// same request at another place say that this one was left alone: a 302 or 303 is
// what many servers answer to a form that they took. A 408 may come from a proxy
// that had passed the request on; all other 4xx refuse it.
func MayHaveRun(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return false
	case http.StatusRequestTimeout:
		return true
	}
	return status < 400 || status >= 500
}
