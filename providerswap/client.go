package providerswap

import (
	"regexp"
	"strings"

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
	// BaseURL is the address of the service, such as "https://swap.example.com". A
	// version path at its end ("/api/v2") is removed: each call adds its own.
	// There is no default.
	BaseURL string
	// APIKey goes into the X-API-KEY header of every request. Required.
	APIKey walletfi.Secret

	walletfi.Options
}

// Client calls the multi-provider swap service. It is safe for concurrent use.
type Client struct {
	t *transport.Client
}

var versionPath = regexp.MustCompile(`(/api/v[0-9]+)?/*$`)

// New checks cfg and returns a client. It opens no connection.
func New(cfg Config) (*Client, error) {
	problem := transport.ValidateKey("apiKey", cfg.APIKey, transport.NeedsKey(cfg.Options, "providerswap"))
	if cfg.BaseURL == "" { // transport takes the deployment's, or refuses it
		cfg.OwnRoutes = true
	}
	base := versionPath.ReplaceAllString(cfg.BaseURL, "")
	again := versionPath.ReplaceAllString(base, "")
	if again != base && !cfg.OwnRoutes && !strings.Contains(base, "@") { // credentials are refused below, unprinted
		right := "must be " + again + "/api/v2; OwnRoutes is for a gateway with other paths"
		problem = check.All(problem, check.That(false, "baseURL", right))
	}
	t, err := transport.New(transport.Config{
		Service: "providerswap",
		Invalid: problem,
		BaseURL: base,
		Options: cfg.Options,
		Auth:    transport.HeaderKey("X-API-KEY", "", cfg.APIKey),
		Accept:  accept,
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
// client with the same key can share it through Options.Limiter. It has no budget and obeys the
// limits that the service states.
func (c *Client) Limiter(class string) ratelimit.Limiter { return c.made().t.Limiter(class) }
