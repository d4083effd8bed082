package walletfi

import (
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go/internal/callopt"
)

// CallOption changes a call. [Urgent], [WithHeader], [WithLateSigners], [WithProgress], [WithQuery],
// [WithRawResponse], [WithTimeout] and [WithoutRetry] return one.
// The zero value changes nothing.
type CallOption callopt.Option

func option(set func(*callopt.Settings)) CallOption { return CallOption(callopt.New(set)) }

// RawResponse is a response as it came, for [WithRawResponse].
type RawResponse struct {
	StatusCode int
	Header     http.Header
	Body       []byte
}

// WithRawResponse captures the last response of the call in raw, even if the
// call fails. It shows fields that the SDK does not know.
func WithRawResponse(raw *RawResponse) CallOption {
	return option(func(s *callopt.Settings) {
		s.Capture = func(status int, header http.Header, body []byte) {
			*raw = RawResponse{StatusCode: status, Header: header, Body: body}
		}
	})
}

// WithProgress calls tell whenever a part of a batch has ended, with success or not:
// done of total items are in parts that have. Methods that split a batch take it:
// predictmeta's BatchMarkets and FilterOutcomeMints, burnclose's SendBatch and
// onchaindata's GetTokens. A batch that fits into one request is one part, and other
// calls have none. tell runs in a goroutine of the call, one call at a time, and done
// never falls; the batch waits for it. If a part fails, done still reaches total: the
// error says what is missing.
func WithProgress(tell func(done, total int)) CallOption {
	return option(func(s *callopt.Settings) { s.Progress = tell })
}

// WithHeader adds a header to the request, such as a gateway's key. A header that
// carries the client's own credentials, a cookie, a header of HTTP's framing and an
// Idempotency-Key, which makes net/http repeat a POST on its own, make the call
// fail with a [ValidationError].
func WithHeader(name, value string) CallOption {
	return option(func(s *callopt.Settings) {
		if reservedHeader(name) {
			s.Err = &ValidationError{
				Field:   "header",
				Problem: textproto.CanonicalMIMEHeaderKey(name) + " is set by the client itself",
			}
			return
		}
		if strings.ContainsAny(name+value, "\r\n\x00") || name == "" {
			s.Err = &ValidationError{Field: "header", Problem: "name is empty, or name or value holds a line break or a NUL"}
			return
		}
		if s.Header == nil {
			s.Header = http.Header{}
		}
		s.Header.Add(name, value)
	})
}

// reservedHeader reports whether no call may set a header. The client refuses its
// own credentials in addition to these.
func reservedHeader(name string) bool {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "cookie", "host", "content-length", "content-type", "content-encoding", "transfer-encoding", "connection",
		"accept-encoding", "te", "trailer", "upgrade", "expect", "keep-alive", "proxy-connection", "http2-settings",
		"idempotency-key", "x-idempotency-key":
		return true
	}
	return false
}

// WithQuery adds a query parameter that this package does not know, under the name
// that the service gives it. A parameter that the method documents makes the call
// fail with a [ValidationError]: it has a field in the request.
func WithQuery(name string, values ...string) CallOption {
	return option(func(s *callopt.Settings) {
		if name == "" {
			s.Err = &ValidationError{Field: "query", Problem: "the name of a parameter is empty"}
			return
		}
		if s.Query == nil {
			s.Query = url.Values{}
		}
		s.Query[name] = append(s.Query[name], values...)
	})
}

// WithTimeout bounds each attempt of the call; see [Options].Timeout.
func WithTimeout(d time.Duration) CallOption {
	return option(func(s *callopt.Settings) { s.Timeout = d })
}

// WithoutRetry makes the call at most once.
func WithoutRetry() CallOption {
	return option(func(s *callopt.Settings) { s.NoRetry = true })
}

// WithLateSigners names signers, base58, that sign a transaction after the
// service has it: the sponsor that pays the fee, a market maker. A relay refuses
// a transaction that lacks any other signature.
func WithLateSigners(addresses ...string) CallOption {
	return option(func(s *callopt.Settings) { s.LateSigners = append(s.LateSigners, addresses...) })
}

// Urgent puts the call at the head of the queue under the rate limit, so that
// closing a position never waits for reads. A wait of more than an hour that the service
// states holds it for 10 s at first: see docs/limits.md.
func Urgent() CallOption {
	return option(func(s *callopt.Settings) { s.Urgent = true })
}
