package walletfi

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/ratelimit"
)

// Options is what every client takes beside its own fields. The zero value is
// good. Options are copied by New; changing them afterwards changes nothing.
type Options struct {
	// HTTPClient sends the requests, by its Transport and with its Jar. It is
	// never changed; redirects are refused whatever its CheckRedirect says, and
	// its Timeout is taken as that of an attempt where Timeout is 0. Nil means a transport tuned for many calls to one host and shared
	// by the process, or http.DefaultTransport where the program replaced that.
	HTTPClient *http.Client

	// Timeout bounds one attempt, from sending to the last byte of the answer;
	// time in the queue and in backoff is not part of it. 0 means 30 seconds,
	// negative means no bound but the context's.
	Timeout time.Duration

	// Retry says when and how often a failed attempt is repeated. The zero
	// value is good. What is never repeated is not up to it: see RetryPolicy.
	Retry RetryPolicy

	// MaxQueueWait bounds the wait for a slot under the rate limit; a longer
	// one is a [ratelimit.Error] at once. Nil means 2 minutes, 0 means to fail at
	// once where no slot is free.
	MaxQueueWait *time.Duration

	// Limiter replaces the client's own limiter for a class of calls ("" where
	// a service has one class), so that several clients or a fleet share one
	// key's budget. It is asked once a class, at that class's first call at the
	// latest; where it returns nil, our own is used. Nil means our own for each.
	Limiter func(class string) ratelimit.Limiter

	// MaxResponseBytes bounds a response after decompression. 0 means 32 MiB.
	MaxResponseBytes int64

	// UserAgent goes before the SDK's own in the header of that name. Empty
	// means the SDK's alone.
	UserAgent string

	// Logger gets a line an attempt at level Debug: service, operation, method,
	// path, status, duration, attempt. Never a header, query or body. Nil means
	// no log.
	Logger *slog.Logger

	// OnAttempt is called after each attempt, in the goroutine of the call: for
	// metrics and tracing. Nil means nothing is called.
	OnAttempt func(Attempt)

	// AllowHTTP names hosts ("10.0.0.7:8080", "gateway.internal") that may be
	// spoken to without TLS. Loopback always may. Empty means no other.
	AllowHTTP []string

	// Vocabulary translates the neutral words of the documentation to those of
	// a live deployment. The zero value translates nothing and costs nothing.
	Vocabulary Vocabulary
}

// Attempt describes one attempt of one call, for Options.OnAttempt.
type Attempt struct {
	Service    string        // package name of the client
	Op         string        // method of the client
	Method     string        // HTTP method
	Path       string        // request path without query
	Number     int           // 1 for the first
	StatusCode int           // 0 where no answer came
	Duration   time.Duration // from sending to the last byte read
	Queued     time.Duration // waited for a slot under the rate limit
	Err        error         // why no answer came, nil where one did
}

// RetryPolicy says how failed attempts are repeated. A call is repeated only
// where that cannot make anything happen twice: each method's comment says
// what it is (a read, a build, a relay of signed bytes, a create), and each
// service's package comment lists the conditions.
type RetryPolicy struct {
	// MaxRetries bounds the repeats of a call. Nil means 3, 0 means none.
	MaxRetries *int
	// MinWait is the backoff before the first repeat; it doubles up to MaxWait,
	// and each wait is drawn evenly between 0 and that. 0 means 250 ms.
	MinWait time.Duration
	// MaxWait caps the backoff. 0 means 8 seconds.
	MaxWait time.Duration
	// MaxRetryAfter caps what is waited because the service said so
	// (Retry-After, a rate limit's reset). A longer wait is ErrRateLimited at
	// once, with the time. 0 means 1 minute.
	MaxRetryAfter time.Duration
}
