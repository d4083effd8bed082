package wsconn

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
)

// HandshakeError is an answer to the handshake that is not a WebSocket. It
// ends Run where dialling again would not help: a redirect, which is never
// followed, every 4xx but 408, 425 and 429, and a wait that is longer than
// Config.MaxRetryAfter.
type HandshakeError struct {
	StatusCode int           // HTTP status
	RetryAfter time.Duration // what the service asked to wait, 0 if it did not say
	Body       []byte        // the first 1,024 bytes, credentials masked; never in Error()
	Kind       error         // the sentinel of package walletfi
}

func newHandshakeError(answer *http.Response, mask func(string) string, now time.Time) *HandshakeError {
	body, _ := io.ReadAll(answer.Body) // in memory by now, cut by gorilla
	return &HandshakeError{
		StatusCode: answer.StatusCode,
		RetryAfter: retryAfter(answer.Header, now),
		Body:       []byte(mask(string(body))),
		Kind:       kindOf(answer.StatusCode),
	}
}

// Error names the status and what it means.
func (e *HandshakeError) Error() string {
	return fmt.Sprintf("WebSocket handshake: HTTP %d: %v", e.StatusCode, e.Kind)
}

// Unwrap returns the sentinel.
func (e *HandshakeError) Unwrap() error { return e.Kind }

func (e *HandshakeError) final(maxWait time.Duration) bool {
	switch e.StatusCode {
	case http.StatusRequestTimeout, http.StatusTooEarly, http.StatusTooManyRequests:
		return e.RetryAfter > maxWait
	}
	return e.StatusCode >= 300 && e.StatusCode < 500 || e.RetryAfter > maxWait
}

func kindOf(status int) error {
	switch {
	case status == http.StatusUnauthorized:
		return walletfi.ErrUnauthorized
	case status == http.StatusForbidden:
		return walletfi.ErrForbidden
	case status == http.StatusNotFound:
		return walletfi.ErrNotFound
	case status == http.StatusTooManyRequests:
		return walletfi.ErrRateLimited
	case status == http.StatusRequestTimeout || status == http.StatusTooEarly || status >= 500:
		return walletfi.ErrUnavailable
	case status >= 400:
		return walletfi.ErrInvalidRequest
	case status >= 300:
		return walletfi.ErrRedirect
	}
	return walletfi.ErrDecode
}

// far is a wait that no limit grants.
const far = 100 * 365 * 24 * time.Hour

// retryAfter reads Retry-After as seconds, rounded up, or as a date, reckoned
// by the answer's own clock where it shows one.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if at, err := http.ParseTime(text); err == nil {
		if date, err := http.ParseTime(h.Get("Date")); err == nil {
			now = date
		}
		return min(max(at.Sub(now), 0), far)
	}
	seconds, err := strconv.ParseFloat(text, 64)
	switch {
	case math.IsNaN(seconds) || err != nil && !math.IsInf(seconds, 1) || seconds < 0:
		return 0
	case seconds >= far.Seconds():
		return far
	}
	return time.Duration(math.Ceil(seconds)) * time.Second
}

func retryAfterOf(err error) time.Duration {
	var handshake *HandshakeError
	if errors.As(err, &handshake) {
		return handshake.RetryAfter
	}
	return 0
}

// untrusted reports whether the service's certificate did not verify.
func untrusted(err error) bool {
	var verification *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	var name x509.HostnameError
	var invalid x509.CertificateInvalidError
	return errors.As(err, &verification) || errors.As(err, &authority) || errors.As(err, &name) || errors.As(err, &invalid)
}

// unknownHost reports whether there is no such name. After a first success it
// is more likely that the machine is offline.
func unknownHost(err error) bool {
	var dns *net.DNSError
	return errors.As(err, &dns) && dns.IsNotFound
}

// ownDeadline keeps the handshake's deadline from looking like the caller's.
func ownDeadline(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) {
		return errors.New("no answer in time")
	}
	return err
}
