package onchaindata

import (
	"cmp"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// Config configures a [Client].
type Config struct {
	// Tier is the plan of the key. It selects the base URL and the header. Empty
	// means TierDemo.
	Tier Tier
	// DemoBaseURL is the URL of the demo tier with the prefix, such as
	// "https://demo.example.com/api/v3/onchain". Required on TierDemo, ignored on
	// TierPro. There is no default.
	DemoBaseURL string
	// ProBaseURL is the URL of the pro tier with the prefix. Required on TierPro,
	// ignored on TierDemo. There is no default.
	ProBaseURL string
	// APIKey goes into x-demo-api-key or x-pro-api-key, by Tier. Required.
	APIKey walletfi.Secret
	// Budgets are limits that the client keeps, all at once. The service documents
	// no limits, so empty means no limit.
	Budgets []ratelimit.Budget

	walletfi.Options
}

// Client calls the market data service. It is safe for concurrent use.
type Client struct {
	t    *transport.Client
	tier Tier
}

// New checks cfg and returns a client. It opens no connection.
func New(cfg Config) (*Client, error) {
	problem := check.All(
		check.OptionalOneOf("tier", cfg.Tier, TierDemo, TierPro),
		transport.ValidateKey("apiKey", cfg.APIKey, transport.NeedsKey(cfg.Options, "onchaindata")),
		check.Each("budgets", cfg.Budgets, check.Budget),
	)
	field, base := cfg.host()
	t, err := transport.New(transport.Config{
		Service:  "onchaindata",
		Invalid:  problem,
		BaseURL:  base,
		URLField: field,
		Prefix:   "/api/v3/onchain",
		Options:  cfg.Options,
		Auth:     transport.HeaderKey(cfg.Tier.keyHeader(), "", cfg.APIKey),
		Tier:     string(cmp.Or(cfg.Tier, TierDemo)),
		Limits:   map[string][]ratelimit.Budget{ClassAll: slices.Clone(cfg.Budgets)},
		Envelope: envelope,
		Refused:  func(body []byte) bool { return readRefusal(body) != nil },
	})
	if err != nil {
		return nil, check.Config(cfg, err)
	}
	return &Client{t, cfg.Tier}, nil
}

// host returns the base URL of the tier and the name of its field.
func (cfg Config) host() (field, base string) {
	if cfg.Tier == TierPro {
		return "proBaseURL", cfg.ProBaseURL
	}
	return "demoBaseURL", cfg.DemoBaseURL
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
