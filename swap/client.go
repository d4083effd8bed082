package swap

import (
	"net/url"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// Config configures a Client.
type Config struct {
	// BaseURL is the address of the service, such as "https://swap.example.com".
	// There is no default.
	BaseURL string
	// APIKey goes into the x-api-key header of every request. If empty, none is
	// sent and the lower rate applies.
	APIKey walletfi.Secret
	// Budgets are the limits of the key, all of which are kept. Empty means
	// KeylessRequestsPerMinute without a key, and no limit with a key.
	Budgets []ratelimit.Budget
	// Freshness limits what BuildSwap, BuildSwapInstructions and BuildOrder
	// accept. The zero value accepts everything.
	Freshness Freshness
	// PriorityFeeQuery writes a priority fee as query parameters, for the order
	// routes. Nil means one parameter, prioritizationFeeLamports, with the text of
	// PrioritizationFee.Text. How the service expects an object there is not documented,
	// and a Deployment does not translate it.
	PriorityFeeQuery func(PrioritizationFee) (url.Values, error)

	walletfi.Options
}

// Client calls the swap service. It is safe for concurrent use.
type Client struct {
	t         *transport.Client
	freshness Freshness
	feeQuery  func(PrioritizationFee) (url.Values, error)
}

// New checks cfg and returns a client. It opens no connection.
func New(cfg Config) (*Client, error) {
	problem := check.All(
		transport.ValidateKey("apiKey", cfg.APIKey, false),
		check.Each("budgets", cfg.Budgets, check.Budget),
		cfg.Freshness.problem(),
	)
	t, err := transport.New(transport.Config{
		Service: "swap",
		Invalid: problem,
		BaseURL: cfg.BaseURL,
		Options: cfg.Options,
		Auth:    transport.HeaderKey("x-api-key", "", cfg.APIKey),
		Limits:  map[string][]ratelimit.Budget{ClassAll: cfg.budgets()},
	})
	if err != nil {
		return nil, check.Config(cfg, err)
	}
	c := &Client{t, cfg.Freshness, cfg.PriorityFeeQuery}
	if c.feeQuery == nil {
		c.feeQuery = priorityFeeQuery
	}
	return c, nil
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

// maxBps is 100 % in basis points.
const maxBps = 10_000
