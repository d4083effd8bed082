package transport

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/callopt"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/dialect"
	"github.com/walletfi/walletfi-go/internal/drift"
	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/internal/places"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// Config is what a service's client is made of.
type Config struct {
	Service string // package name, for errors and logs
	BaseURL string
	// URLField is the name of BaseURL's field in the client's configuration, ""
	// for baseURL.
	URLField string
	Options  walletfi.Options
	// Prefix is the path that the documented base URL ends with, "" if none.
	Prefix string
	// OwnPaths are what the paths of the calls begin with, which a base URL must
	// not end with.
	OwnPaths []string
	Auth     Authoriser // nil if there is no credential
	// Invalid is what else is wrong with the client's configuration; nil if nothing.
	Invalid error

	// Tier is the plan of the key, for the scope of a limiter; "" if there is none.
	Tier string
	// Limits are the budgets of each class of calls; a class without an entry
	// has none of ours but can still be given a limiter by the options.
	Limits map[string][]ratelimit.Budget
	// Limiter makes the limiter of a class that budgets cannot describe (pacing);
	// nil, or a nil result, means one made from Limits.
	Limiter func(class string) ratelimit.Limiter
	// With adds to the limiter of a class, whoever made it; nil adds nothing.
	With func(class string, own ratelimit.Limiter) ratelimit.Limiter

	// RateHeaders says that the service documents its headers of remaining
	// requests and resets, so that they are taken at their word.
	RateHeaders bool

	// Envelope reads the body of a failure. Nil means status alone decides.
	Envelope Envelope
	// Accept looks at the body of a success: it returns the part that holds the
	// result, and false if the body is a refusal all the same. Nil means that the
	// whole body is the result. It reads the neutral words.
	Accept func(body []byte) (payload []byte, ok bool)
	// Refused reports that an object is a refusal in the service's own form although its
	// status is one of a success. It is asked about one with a member status or errors,
	// and reads the neutral words. That there is an error, or success is false, says no
	// of every service: see package declared.
	Refused func(body []byte) bool
	// LiveAccept is Accept for the body as it came, of which a part is sent back:
	// name returns the live name of a member. Nil means that Accept takes no part
	// out, or that none is sent back.
	LiveAccept func(body []byte, name func(string) string) (payload []byte, ok bool)
}

// Envelope turns the body of a failure into a service's own error, which
// unwraps to resp. It may correct resp's Message and Kind.
type Envelope func(resp *walletfi.ResponseError, header http.Header, body []byte) Verdict

// Verdict is what an envelope says beyond the HTTP status.
type Verdict struct {
	Err         error // the service's own error, nil if the body is not its envelope
	RateLimited bool  // the body says by code that a limit refused the call before it was carried out
	Final       bool  // do not repeat, whatever the status
	KeepToken   bool  // a 401 that a new token would not cure
	NothingDone bool  // a documented code says that the call was not carried out

	response *walletfi.ResponseError // that Err is or unwraps to
}

// Client runs the calls of one service against one base URL.
type Client struct {
	service  string
	base     *url.URL
	own      http.RoundTripper // the caller's, may be nil
	room     *places.Room      // of the requests to the host over transports of ours
	loop     *repeater
	auth     Authoriser
	envelope Envelope
	accept   func([]byte) ([]byte, bool)
	refused  func([]byte) bool
	live     func([]byte, func(string) string) ([]byte, bool) // LiveAccept
	dialect  *dialect.Service                                 // nil if all is as documented
	limiters *limiters
	quota    *quota
	clock    walletfi.Clock // nil is real time

	rateHeaders bool // of Config

	timeout   time.Duration
	maxBody   int64
	userAgent string
	retries   int
	minWait   time.Duration // between two attempts
	maxWait   time.Duration
	maxAfter  time.Duration
	logger    *slog.Logger
	observer  observe.Observer
	drift     *drift.Watch // nil if nothing is observed
	lenience  *Lenience    // nil if the options name no member
}

// sdkAgent goes into the User-Agent header.
const sdkAgent = "walletfi-go/0.1"

// UserAgent is the header of that name on every request of a client.
func UserAgent(o walletfi.Options) string {
	if o.UserAgent == "" {
		return sdkAgent
	}
	return strings.TrimSpace(o.UserAgent + " " + sdkAgent)
}

// New checks cfg and returns a client, or all that is wrong with cfg, joined. It reads no
// environment and opens no connection.
func New(cfg Config) (*Client, error) {
	o := cfg.Options
	err := ValidateDeployment(o.Deployment, cfg.Service)
	if err != nil {
		return nil, check.All(cfg.Invalid, err, checkOptions(&o))
	}
	spoken, err := dialect.Compile(o.Deployment, cfg.Service, o.Secrets)
	if err != nil {
		return nil, check.All(cfg.Invalid, err, checkOptions(&o))
	}
	if cfg.Auth == nil {
		err = spoken.CheckCredential()
	}
	base, problem := cfg.base(spoken)
	lenience, unknown := NewLenience(cfg.Service, o.Lenient, o.Observer)
	if err := check.All(cfg.Invalid, err, problem, checkOptions(&o), unknown); err != nil {
		return nil, err
	}
	c := &Client{
		service: cfg.Service, base: base, room: requests.Room(base.Host), dialect: spoken,
		auth: cfg.Auth, envelope: cfg.Envelope, accept: cfg.Accept, refused: cfg.Refused, live: cfg.LiveAccept,
		limiters: newLimiters(cfg), quota: newQuota(), clock: o.Clock, rateHeaders: cfg.RateHeaders,
		timeout:   cmp.Or(o.Timeout, 30*time.Second),
		maxBody:   min(cmp.Or(o.MaxResponseBytes, 32<<20), 1<<62),
		userAgent: UserAgent(o),
		retries:   3,
		minWait:   cmp.Or(o.Retry.MinWait, 250*time.Millisecond),
		maxWait:   cmp.Or(o.Retry.MaxWait, 8*time.Second),
		maxAfter:  cmp.Or(o.Retry.MaxRetryAfter, time.Minute),
		logger:    o.Logger, observer: o.Observer, lenience: lenience,
	}
	if o.Retry.MaxRetries != nil {
		c.retries = max(0, *o.Retry.MaxRetries)
	}
	if c.observer != nil {
		c.drift = drift.NewWatch(cfg.Service)
	}
	c.loop = c.newLoop(o.HTTPClient)
	// Of the caller's client, only the round tripper, the cookies and the timeout
	// are used, the last for each attempt.
	if own := o.HTTPClient; own != nil {
		c.own = own.Transport
		if o.Timeout == 0 && own.Timeout > 0 {
			c.timeout = own.Timeout
		}
	}
	return c, nil
}

// checkOptions refuses values that cannot be, in the order of Options.
func checkOptions(o *walletfi.Options) (problem error) {
	for _, of := range []struct {
		field string
		value int64
	}{
		{"retry.minWait", int64(o.Retry.MinWait)},
		{"retry.maxWait", int64(o.Retry.MaxWait)},
		{"retry.maxRetryAfter", int64(o.Retry.MaxRetryAfter)},
		{"maxResponseBytes", o.MaxResponseBytes},
	} {
		if of.value < 0 {
			problem = check.All(problem, &walletfi.ValidationError{Field: of.field, Problem: "must not be negative"})
		}
	}
	return check.All(problem, ValidateFallback(o.LimiterFallback),
		check.That(peer.ValidHeaderValue(o.UserAgent), "userAgent", "holds a line break or another control character"))
}

// Now is the time of the options' clock.
func (c *Client) Now() time.Time { return clock.Now(c.Clock()) }

// Clock is the options' clock, nil if it is real time.
func (c *Client) Clock() walletfi.Clock {
	if c == nil {
		return nil
	}
	return c.clock
}

// Limiter returns the limiter of a class, so that another client can share it.
func (c *Client) Limiter(class string) ratelimit.Limiter {
	if c == nil {
		return nil
	}
	return c.limiters.of(class)
}

// Made returns the error of a client that no New has made: a zero value of a service's
// client has a nil one of this package.
func (c *Client) Made() error {
	return check.That(c != nil, "Client", "is a zero value: New makes a client")
}

// run passes a call through its stages: see the package.
func (c *Client) run(ctx context.Context, call Call, opts []walletfi.CallOption, r reader) error {
	if err := c.Made(); err != nil {
		return err
	}
	x := &exchange{client: c, call: call, limiter: c.limiters.of(call.Class), reader: r}
	if c.clock != nil {
		var end func()
		ctx, end = clock.Enter(ctx, c.clock, c.service+" "+call.Op)
		defer end()
	}
	ctx, span := observing.Start(ctx, c.observer, observe.Call{Service: c.service, Op: call.Op})
	if !span.Observed() {
		return x.stages(ctx, opts)
	}
	return observing.Through(span, func() error { return x.stages(ctx, opts) },
		func(err error) observe.CallEnd { return observe.CallEnd{Attempts: x.progress.attempts, Err: err} })
}

func (x *exchange) stages(ctx context.Context, opts []walletfi.CallOption) error {
	c := x.client
	if len(opts) > 0 {
		x.settings = callopt.Of(opts)
	}
	if capture := x.settings.Capture; capture != nil {
		capture(0, nil, nil)
	}
	if tell := x.settings.Declared; tell != nil {
		tell(c.service, x.call)
	}
	if err := x.request.encode(c, &x.call, &x.settings); err != nil {
		return err
	}
	last := x.attempts(ctx)
	if last.failure != nil {
		return x.end(last.failure)
	}
	return x.result(&last)
}
