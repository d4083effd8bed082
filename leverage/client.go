package leverage

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// ClassAll is the class of all calls. The service documents no budget; a 429 is
// obeyed.
const ClassAll = ""

// Config configures a Client.
type Config struct {
	// BaseURL is the address of the service, without /api/v1. There is no default.
	BaseURL string
	// APIKey goes into the x-api-key header of every request. If empty, the calls
	// that require a key fail.
	APIKey walletfi.Secret

	walletfi.Options
}

// Client calls the leverage service. It is safe for concurrent use.
type Client struct {
	t      *transport.Client
	hasKey bool
}

// New checks cfg and returns a client. It opens no connection.
func New(cfg Config) (*Client, error) {
	t, err := transport.New(transport.Config{
		Service:  "leverage",
		Invalid:  transport.ValidateKey("apiKey", cfg.APIKey, false),
		BaseURL:  cfg.BaseURL,
		OwnPaths: []string{"/api/v1"},
		Options:  cfg.Options,
		Auth:     transport.HeaderKey("x-api-key", "", cfg.APIKey),
	})
	if err != nil {
		return nil, check.Config(cfg, err)
	}
	return &Client{t, !cfg.APIKey.IsZero() || !transport.NeedsKey(cfg.Options, "leverage")}, nil
}

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

// keyed checks that the client has a key, for routes that require one.
func (c *Client) keyed() error {
	return check.That(c.made().hasKey, "apiKey", "is required on this route")
}
