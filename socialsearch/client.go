package socialsearch

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// Config configures a [Client].
type Config struct {
	// BaseURL is the service's URL, without /2. There is no default.
	BaseURL string
	// BearerToken goes into the Authorization header of every request. Required.
	BearerToken walletfi.Secret
	// TokenKind says whose token it is, which sets the budgets. Empty means
	// TokenUser, which has the smaller budget.
	TokenKind TokenKind
	// Spend adds up what the calls cost and keeps them under a budget. Nil
	// disables it. Several clients can share a Meter.
	Spend *Meter
	// RetryPaidReads repeats a read that the service may have served and billed.
	// If false, such a read fails.
	RetryPaidReads bool

	walletfi.Options
}

// Client calls the search service. It is safe for concurrent use.
type Client struct {
	t         *transport.Client
	spend     *Meter
	retryPaid bool
	observer  observe.Observer
}

// New checks cfg and returns a client. It opens no connection.
func New(cfg Config) (*Client, error) {
	problem := check.All(
		transport.ValidateKey("bearerToken", cfg.BearerToken, transport.NeedsKey(cfg.Options, "socialsearch")),
		check.OptionalOneOf("tokenKind", cfg.TokenKind, TokenApp, TokenUser),
	)
	if cfg.TokenKind == "" {
		cfg.TokenKind = TokenUser
	}
	t, err := transport.New(transport.Config{
		Service:  "socialsearch",
		Invalid:  problem,
		BaseURL:  cfg.BaseURL,
		OwnPaths: []string{"/2"},
		Options:  cfg.Options,
		Auth:     metered{transport.HeaderKey("Authorization", "Bearer ", cfg.BearerToken)},
		Tier:     string(cfg.TokenKind),
		Limits:   cfg.TokenKind.budgets(),
		Envelope: envelope, RateHeaders: true,
		Refused: func(body []byte) bool { return len(problems(body)) > 0 },
	})
	if err != nil {
		return nil, check.Config(cfg, err)
	}
	return &Client{t, cfg.Spend, cfg.RetryPaidReads, cfg.Observer}, nil
}

// made is the zero client in place of a nil one: both answer each call with an error.
func (c *Client) made() *Client {
	if c == nil {
		return new(Client)
	}
	return c
}

// Limiter returns the limiter of a class, so that another client with the same
// token can share its budget through Options.Limiter.
func (c *Client) Limiter(class string) ratelimit.Limiter { return c.made().t.Limiter(class) }
