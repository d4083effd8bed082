package transport

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// Config is what a service's client is made of.
type Config struct {
	Service string // package name, for errors and logs
	BaseURL string
	Options walletfi.Options
	Auth    Authoriser // nil where there is no credential

	// Limits are the budgets of each class of calls; a class without an entry
	// has none of ours but can still be given a limiter by the options.
	Limits map[string][]ratelimit.Budget
	// Limiter makes the limiter of a class where budgets do not say it (pacing);
	// nil, or a nil result, means one made from Limits.
	Limiter func(class string) ratelimit.Limiter

	// Envelope reads the body of a failure. Nil means status alone decides.
	Envelope Envelope
	// Accept looks at the body of a success: it returns the part that holds the
	// result, and false where the body is a refusal all the same. Nil means that
	// the whole body is the result. It reads the neutral words, and what it
	// leaves whole is kept as it came.
	Accept func(body []byte) (payload []byte, ok bool)
	// LiveAccept has Accept read the body as it came: it takes a part out that
	// will be sent back.
	LiveAccept bool
}

// Envelope turns the body of a failure into a service's own error, which
// unwraps to resp. It may correct resp's Message and Kind.
type Envelope func(resp *walletfi.ResponseError, header http.Header, body []byte) Verdict

// Verdict is what an envelope says beyond the HTTP status.
type Verdict struct {
	Err         error // the service's own error, nil where the body is not its envelope
	RateLimited bool  // the body says by code that a limit refused the call before it was carried out
	Final       bool  // do not repeat, whatever the status
	KeepToken   bool  // a 401 that a new token would not cure
}

// Client runs the calls of one service against one base URL.
type Client struct {
	service  string
	base     *url.URL
	own      http.RoundTripper // the caller's, nil where there is none
	jar      http.CookieJar    // the caller's, may be nil
	auth     Authoriser
	envelope Envelope
	accept   func([]byte) ([]byte, bool)
	words    *vocabulary
	limiters *limiters
	quota    *quota

	timeout   time.Duration
	maxBody   int64
	userAgent string
	retries   int
	minWait   time.Duration
	maxWait   time.Duration
	maxAfter  time.Duration
	logger    *slog.Logger
	onAttempt func(walletfi.Attempt)
}

// sdkAgent goes into the User-Agent header.
const sdkAgent = "walletfi-go/0.1"

// UserAgent is the header of that name on every request of a client.
func UserAgent(o walletfi.Options) string { return strings.TrimSpace(o.UserAgent + " " + sdkAgent) }

// New checks cfg and returns a client. It reads no environment and opens no
// connection.
func New(cfg Config) (*Client, error) {
	base, err := parseBase("baseURL", cfg.BaseURL, cfg.Options.AllowHTTP)
	if err != nil {
		return nil, err
	}
	words, err := newVocabulary(cfg.Options.Vocabulary)
	if err != nil {
		return nil, err
	}
	if cfg.Accept != nil && words != nil && !cfg.LiveAccept {
		cfg.Accept = words.accepting(cfg.Accept)
	}
	o := cfg.Options
	if err := checkOptions(&o); err != nil {
		return nil, err
	}
	c := &Client{
		service: cfg.Service, base: base, words: words,
		auth: cfg.Auth, envelope: cfg.Envelope, accept: cfg.Accept,
		limiters: newLimiters(cfg), quota: newQuota(),
		timeout:   orDefault(o.Timeout, 30*time.Second),
		maxBody:   min(orDefault(o.MaxResponseBytes, 32<<20), 1<<62),
		userAgent: UserAgent(o),
		retries:   3,
		minWait:   orDefault(o.Retry.MinWait, 250*time.Millisecond),
		maxWait:   orDefault(o.Retry.MaxWait, 8*time.Second),
		maxAfter:  orDefault(o.Retry.MaxRetryAfter, time.Minute),
		logger:    o.Logger, onAttempt: o.OnAttempt,
	}
	if o.Retry.MaxRetries != nil {
		c.retries = max(0, *o.Retry.MaxRetries)
	}
	// What the caller's client does of its own accord (redirects, a timeout over
	// all attempts) is left out: its round tripper and its cookies are used.
	if own := o.HTTPClient; own != nil {
		c.own, c.jar = own.Transport, own.Jar
		if o.Timeout == 0 && own.Timeout > 0 {
			c.timeout = own.Timeout
		}
	}
	return c, nil
}

func checkOptions(o *walletfi.Options) error {
	if !validHeaderValue(o.UserAgent) {
		return &walletfi.ValidationError{Field: "userAgent", Problem: "holds a line break or another control character"}
	}
	for field, n := range map[string]int64{
		"maxResponseBytes": o.MaxResponseBytes, "retry.minWait": int64(o.Retry.MinWait),
		"retry.maxWait": int64(o.Retry.MaxWait), "retry.maxRetryAfter": int64(o.Retry.MaxRetryAfter),
	} {
		if n < 0 {
			return &walletfi.ValidationError{Field: field, Problem: "must not be negative"}
		}
	}
	return nil
}

func orDefault[T ~int64](v, standard T) T {
	if v == 0 {
		return standard
	}
	return v
}

// Limiter returns the limiter of a class, so that another client can share it.
func (c *Client) Limiter(class string) ratelimit.Limiter { return c.limiters.of(class) }

// Do runs a call and decodes its answer into a new T.
func Do[T any](ctx context.Context, c *Client, call Call, opts []walletfi.CallOption) (*T, error) {
	v := new(T)
	err := c.run(ctx, call, opts, func(body []byte) error { return c.decodeInto(body, v) })
	if err != nil {
		return nil, err
	}
	return v, nil
}

// DoRaw is Do for a T that also keeps the answer as it came: keep gets the
// bytes, untranslated, after they were decoded.
func DoRaw[T any](ctx context.Context, c *Client, call Call, opts []walletfi.CallOption, keep func(*T, walletfi.Document)) (*T, error) {
	v := new(T)
	err := c.run(ctx, call, opts, func(body []byte) error {
		if err := c.decodeInto(body, v); err != nil {
			return err
		}
		keep(v, body)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

// DoDocument runs a call whose answer has no documented shape and returns its
// JSON. An empty answer is an empty document.
func DoDocument(ctx context.Context, c *Client, call Call, opts []walletfi.CallOption) (walletfi.Document, error) {
	var doc walletfi.Document
	err := c.run(ctx, call, opts, func(body []byte) error {
		if len(bytes.TrimSpace(body)) == 0 {
			return nil
		}
		doc = c.words.toNeutral(body)
		return wellFormed(doc)
	})
	return doc, err
}

// DoBytes runs a call whose answer is not JSON and returns it as it came.
func DoBytes(ctx context.Context, c *Client, call Call, opts []walletfi.CallOption) ([]byte, error) {
	var kept []byte
	err := c.run(ctx, call, opts, func(body []byte) error { kept = body; return nil })
	return kept, err
}

// DoEmpty runs a call of whose answer nothing is needed but its success. A page
// of HTML is none: something in between answered in the service's place.
func DoEmpty(ctx context.Context, c *Client, call Call, opts []walletfi.CallOption) error {
	return c.run(ctx, call, opts, func(body []byte) error {
		if bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")) {
			return errSyntax
		}
		return nil
	})
}

// run is the order of the stages.
func (c *Client) run(ctx context.Context, call Call, opts []walletfi.CallOption, decode func([]byte) error) error {
	x := &exchange{client: c, call: call}
	if len(opts) > 0 {
		x.settings = callopt.Of(opts)
	}
	if capture := x.settings.Capture; capture != nil {
		capture(0, nil, nil)
	}
	if tell := x.settings.Declared; tell != nil {
		tell(c.service, call)
	}
	if err := c.encode(&x.request, &x.call, &x.settings); err != nil {
		return err
	}
	if err := x.attempts(ctx); err != nil {
		return x.outcome(err)
	}
	if err := decode(x.payload); err != nil {
		return x.outcome(x.undecodable(err))
	}
	return nil
}
