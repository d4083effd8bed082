package lending

import (
	"cmp"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// Config configures a [Client].
type Config struct {
	// BaseURL is the address of the service, such as
	// "https://lending.example.com". Required.
	BaseURL string
	// APIKey is sent in the x-api-key header of every request. Required.
	APIKey walletfi.Secret
	// Tier is the plan of the key, which sets the budgets. Empty means TierFree.
	Tier Tier

	walletfi.Options
}

// Client calls the lending service. It is safe for concurrent use.
type Client struct {
	t *transport.Client
}

// New checks cfg and returns a client. It opens no connection.
func New(cfg Config) (*Client, error) {
	problem := check.All(
		transport.ValidateKey("apiKey", cfg.APIKey, transport.NeedsKey(cfg.Options, "lending")),
		check.OptionalOneOf("tier", cfg.Tier, TierFree, TierPro, TierEnterprise),
	)
	t, err := transport.New(transport.Config{
		Service:  "lending",
		Invalid:  problem,
		BaseURL:  cfg.BaseURL,
		OwnPaths: []string{"/v1"},
		Options:  cfg.Options,
		Auth:     transport.HeaderKey("x-api-key", "", cfg.APIKey),
		Tier:     string(cmp.Or(cfg.Tier, TierFree)),
		Limits:   map[string][]ratelimit.Budget{ClassAll: cfg.Tier.budgets()},
		Envelope: envelope,
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
