package predictmeta

import (
	"net/http"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/dialect"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// Config configures a [Client].
type Config struct {
	// BaseURL is the service's URL, without /api/v1. There is no default.
	BaseURL string
	// WebSocketURL is the feed's URL, wss or https, without /ws. Only
	// [Client.Stream] needs it. There is no default.
	WebSocketURL string
	// APIKey goes into the x-api-key header of every request and of the feed's
	// handshake. Empty sends no key and keeps AnonymousBudget.
	APIKey walletfi.Secret
	// Budgets are the limits of the key, which the service does not document.
	// Nil means no limit with a key, and AnonymousBudget without a key.
	Budgets []ratelimit.Budget
	// TimeFormat writes start_time and end_time of requests, whose form is not
	// documented. Nil means UnixSeconds.
	TimeFormat TimeFormat

	walletfi.Options
}

// Client calls the prediction-market metadata service. It is safe for
// concurrent use.
type Client struct {
	t    *transport.Client
	feed *dialect.Operation // nil if the feed is as documented
	cfg  Config
}

// New checks cfg and returns a client. It opens no connection.
func New(cfg Config) (*Client, error) {
	problem := check.All(
		transport.ValidateKey("apiKey", cfg.APIKey, false),
		check.Each("budgets", cfg.Budgets, check.Budget),
	)
	t, err := transport.New(transport.Config{
		Service:  "predictmeta",
		Invalid:  problem,
		BaseURL:  cfg.BaseURL,
		OwnPaths: []string{"/api/v1"},
		Options:  cfg.Options,
		Auth:     transport.HeaderKey(keyHeader, "", cfg.APIKey),
		Limits:   map[string][]ratelimit.Budget{ClassAll: cfg.budgets()},
	})
	if err != nil {
		return nil, check.Config(cfg, err)
	}
	return &Client{t: t, feed: t.Dialect().Operation(http.MethodGet, "/ws"), cfg: cfg.owned()}, nil
}

// owned returns a copy that the caller cannot change, with its defaults.
func (c Config) owned() Config {
	if c.TimeFormat == nil {
		c.TimeFormat = UnixSeconds
	}
	if c.HTTPClient != nil {
		c.HTTPClient = new(*c.HTTPClient)
	}
	c.Budgets, c.AllowHTTP = slices.Clone(c.Budgets), slices.Clone(c.AllowHTTP)
	return c
}

const keyHeader = "x-api-key"

// made is the zero client in place of a nil one: both answer each call with an error.
func (c *Client) made() *Client {
	if c == nil {
		return new(Client)
	}
	return c
}

// Limiter returns the client's rate limiter of a class such as [ClassAll], so that another
// client with the same key can share it through Options.Limiter.
func (c *Client) Limiter(class string) ratelimit.Limiter { return c.made().t.Limiter(class) }
