package webhooks

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// ClassAll is the class of all calls. The service documents no budget; a 429 is
// obeyed.
const ClassAll = ""

// service is the name of this package in errors and deployments.
const service = "webhooks"

// Config configures a [Client].
type Config struct {
	// BaseURL is the service's URL, without /webhooks/rest/v1. There is no
	// default.
	BaseURL string
	// APIKey goes into the Authorization header of every request, as a bearer
	// token. Required.
	APIKey walletfi.Secret

	walletfi.Options
}

// Client manages webhooks. It is safe for concurrent use. A [Receiver] receives
// their deliveries.
type Client struct {
	t *transport.Client
}

// New checks cfg and returns a client. It opens no connection.
func New(cfg Config) (*Client, error) {
	t, err := transport.New(transport.Config{
		Service:  service,
		Invalid:  transport.ValidateKey("apiKey", cfg.APIKey, transport.NeedsKey(cfg.Options, service)),
		BaseURL:  cfg.BaseURL,
		OwnPaths: []string{"/webhooks/rest/v1"},
		Options:  cfg.Options,
		Auth:     transport.HeaderKey("Authorization", "Bearer ", cfg.APIKey),
	})
	if err != nil {
		return nil, check.Config(cfg, err)
	}
	return &Client{t}, nil
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
