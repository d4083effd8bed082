package walletfi

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// Options is embedded by every client's Config. The zero value is good. New
// copies the options; changing them afterwards has no effect.
type Options struct {
	// HTTPClient sends the requests, by its Transport and with its Jar. It is
	// never changed. Redirects are refused whatever its CheckRedirect says. Its
	// Timeout applies to each attempt if Timeout below is 0. Nil means a
	// transport that is tuned for many calls to one host and shared by the
	// process, or http.DefaultTransport if the program replaced that. Over the
	// shared transport at most 256 requests to a host are under way at a time, of
	// all clients together; further ones wait for their turn in order, those with
	// [Urgent] first. It keeps at most 128 idle connections to a host.
	HTTPClient *http.Client

	// Clock moves all that the client waits for and computes with: the limiter,
	// backoff, polls, stated waits, the age of quotes, the expiry of tokens, the
	// pauses of a feed. Timeout, deadlines of contexts and the pings of a feed stay
	// in real time, since they bound a network's work. Nil means real time. See
	// [Clock].
	Clock Clock

	// Timeout bounds an attempt, from sending to the last byte of the answer.
	// The wait in the queue and between attempts is not part of it. It also bounds
	// the wait for a turn on the shared transport, apart. 0 means 30 seconds, a
	// negative value means no bound but the context's.
	Timeout time.Duration

	// Retry says when and how often a failed attempt is repeated. The zero value
	// is good. It cannot make a call repeatable that must not be repeated: see
	// [RetryPolicy].
	Retry RetryPolicy

	// MaxQueueWait bounds the wait for a slot under the rate limit. If the wait
	// would be longer, the call fails at once with a [ratelimit.Error]. Nil
	// means 2 minutes, 0 means to fail at once if no slot is free.
	MaxQueueWait *time.Duration

	// Limiter replaces the client's own limiter, so that several clients or
	// processes share the budgets of a key. It is called once per class of calls, at
	// the latest at the first call of that class, with what the limiter is to keep.
	// If it returns nil, the client uses its own limiter. Nil means the client's own
	// limiter for every class. If a limiter fails, the call fails with
	// [ErrLimiter] and nothing is sent.
	Limiter func(ratelimit.Scope) ratelimit.Limiter

	// LimiterFallback sets a part of each budget aside, for calls whose Limiter
	// fails. The zero value sets nothing aside: those calls fail. The Limiter is told
	// budgets without that part.
	LimiterFallback ratelimit.Fallback

	// Lenient names members of answers that may be missing, repeated, out of range or of
	// another form although a caller acts on them, as [ErrDecode] names them:
	// "Pool.decimals". It is for a vendor that differs from the documentation. The result
	// has what could be read, else zero. An Observer is notified the first time, by
	// [observe.Drift]. Empty lets none through.
	Lenient []string

	// MaxResponseBytes bounds a response after decompression. 0 means 32 MiB.
	MaxResponseBytes int64

	// UserAgent goes before the SDK's own in the User-Agent header. Empty means
	// the SDK's alone.
	UserAgent string

	// Logger gets a line per attempt at level Debug: service, operation, method,
	// path, status, duration, attempt. It gets a line at level Warn if a Limiter
	// fails after the request went. It never gets a header, a query or a body. Nil
	// means no log.
	Logger *slog.Logger

	// Observer is notified of each call, its attempts and waits, with contexts: for
	// traces and metrics. See package observe. Nil costs nothing.
	Observer observe.Observer

	// AllowHTTP names hosts ("10.0.0.7:8080", "gateway.internal") that may be
	// reached without TLS. Loopback always may. Empty allows no other host.
	AllowHTTP []string

	// OwnRoutes says that the base URL is a gateway's with routes of its own, so
	// that its path need not be what the service documents. If false, New refuses a
	// base URL that lacks or doubles the documented prefix.
	OwnRoutes bool

	// Deployment holds a vendor's differences from the documentation:
	// addresses, words, places, shapes and forms. New returns a [ValidationError]
	// if what it says of the client's service is not valid. Nil, or a Deployment
	// that does not name the service, differs in nothing and costs nothing.
	//
	// Typed fields and documents have the documentation's words and forms. What a
	// service wants back byte for byte stays as it came, and so do [RawResponse],
	// the excerpt in an error, the Raw of a feed's message, and the body of a
	// delivery.
	Deployment *deployment.Deployment
	// Secrets are the credentials that the Deployment's places name, besides the
	// client's own. Those that it does not name are not used.
	Secrets map[string]Secret
}

// RetryPolicy says how failed attempts are repeated. A call is repeated only if
// that cannot make anything happen twice: each method's comment says what the
// call is (a read, a build, a relay of signed bytes, a create), and each
// service's package comment lists the conditions.
type RetryPolicy struct {
	// MaxRetries bounds the repeats of a call. Nil means 3, 0 means none.
	MaxRetries *int
	// MinWait is the backoff before the first repeat. It doubles up to MaxWait;
	// each wait is a random part of it. 0 means 250 ms.
	MinWait time.Duration
	// MaxWait caps the backoff. 0 means 8 seconds.
	MaxWait time.Duration
	// MaxRetryAfter caps a wait that the service asked for (Retry-After, the
	// reset of a rate limit). If the wait would be longer, the call fails at once
	// with [ErrRateLimited] and the time. 0 means 1 minute.
	MaxRetryAfter time.Duration
}
