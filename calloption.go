package walletfi

import (
	"net/http"
	"net/textproto"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/internal/callopt"
)

// CallOption changes one call. The functions below make one.
type CallOption func(*callopt.Settings)

// RawResponse is a response as it came, for WithRawResponse.
type RawResponse struct {
	StatusCode int
	Header     http.Header
	Body       []byte
}

// WithRawResponse captures the last response of the call in raw, a failed one
// too, so that no field which the SDK does not know is lost.
func WithRawResponse(raw *RawResponse) CallOption {
	return func(s *callopt.Settings) {
		s.Capture = func(status int, header http.Header, body []byte) {
			*raw = RawResponse{StatusCode: status, Header: header, Body: body}
		}
	}
}

// WithHeader adds a header to the request. Headers that carry credentials or
// that the client itself is answerable for are refused with a
// ValidationError when the call is made.
func WithHeader(name, value string) CallOption {
	return func(s *callopt.Settings) {
		if reservedHeader(name) {
			s.Err = &ValidationError{Field: "header", Problem: textproto.CanonicalMIMEHeaderKey(name) + " is set by the client itself"}
			return
		}
		if strings.ContainsAny(name+value, "\r\n\x00") || name == "" {
			s.Err = &ValidationError{Field: "header", Problem: "name or value holds a line break, a NUL or nothing"}
			return
		}
		if s.Header == nil {
			s.Header = http.Header{}
		}
		s.Header.Add(name, value)
	}
}

// reservedHeader: credentials, framing, and Idempotency-Key, which makes
// net/http replay a POST unseen.
func reservedHeader(name string) bool {
	n := strings.ToLower(strings.TrimSpace(name))
	switch n {
	case "authorization", "proxy-authorization", "cookie", "host", "content-length", "content-type",
		"transfer-encoding", "connection", "accept-encoding", "idempotency-key", "x-idempotency-key":
		return true
	}
	return strings.HasSuffix(n, "api-key") || strings.HasSuffix(n, "token")
}

// WithTimeout bounds each attempt of this call; see Options.Timeout.
func WithTimeout(d time.Duration) CallOption {
	return func(s *callopt.Settings) { s.Timeout = d }
}

// WithoutRetry makes this call at most once.
func WithoutRetry() CallOption {
	return func(s *callopt.Settings) { s.NoRetry = true }
}

// Urgent takes the call to the head of the queue under the rate limit, so
// that closing a position never waits behind reads.
func Urgent() CallOption {
	return func(s *callopt.Settings) { s.Urgent = true }
}
