package swap

import (
	"net/url"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// Config is what a Client is made of.
type Config struct {
	// BaseURL is where the service is, such as "https://swap.example.com".
	// There is no default.
	BaseURL string
	// APIKey goes into the x-api-key header of every request. Empty sends none,
	// at the lower rate.
	APIKey walletfi.Secret
	// Budgets are the limits of the key, all kept at once. Empty means
	// KeylessRequestsPerMinute without a key, and no limit with one.
	Budgets []ratelimit.Budget
	// Freshness is what BuildSwap, BuildSwapInstructions and BuildOrder refuse.
	// The zero value refuses nothing.
	Freshness Freshness
	// PriorityFeeQuery writes a priority fee as query parameters, for the order
	// routes. Nil means one parameter, prioritizationFeeLamports: a scalar as it
	// is, an object as compact JSON (see PriorityFee.Text). How the service wants
	// an object there is not documented, and a Vocabulary does not reach into it.
	PriorityFeeQuery func(PriorityFee) (url.Values, error)

	walletfi.Options
}

// Client calls the swap service. It is safe for concurrent use.
type Client struct {
	t         *transport.Client
	freshness Freshness
	feeQuery  func(PriorityFee) (url.Values, error)
}

// New checks cfg and returns a client. It opens no connection.
func New(cfg Config) (*Client, error) {
	err := check.All(
		transport.ValidateKey("apiKey", cfg.APIKey, false),
		check.Each("budgets", cfg.Budgets, check.Budget),
		cfg.Freshness.problem(),
	)
	if err != nil {
		return nil, err
	}
	t, err := transport.New(transport.Config{
		Service: "swap",
		BaseURL: cfg.BaseURL,
		Options: cfg.Options,
		Auth:    transport.HeaderKey("x-api-key", "", cfg.APIKey),
		Limits:  map[string][]ratelimit.Budget{"": cfg.budgets()},
	})
	if err != nil {
		return nil, err
	}
	c := &Client{t, cfg.Freshness, cfg.PriorityFeeQuery}
	if c.feeQuery == nil {
		c.feeQuery = priorityFeeQuery
	}
	return c, nil
}

// Limiter returns the client's rate limiter, so that another client with the
// same key can share its budget through Options.Limiter.
func (c *Client) Limiter() ratelimit.Limiter { return c.t.Limiter("") }

// maxBps is everything, in basis points.
const maxBps = 10_000
