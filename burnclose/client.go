package burnclose

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// service is the name of this client in errors and in the signing guard's pins.
const service = "burnclose"

// AuthHeader is how the key is sent.
type AuthHeader string

// The ways to send the key.
const (
	AuthAPIKey AuthHeader = "x-api-key" // in a header of that name
	AuthBearer AuthHeader = "bearer"    // as Authorization: Bearer
)

// ClassAll is the class of all calls. The service documents no budget; a 429 is
// obeyed.
const ClassAll = ""

// Config configures a Client.
type Config struct {
	// BaseURL is the address of the service, such as "https://burn.example.com".
	// There is no default.
	BaseURL string
	// APIKey is required by all routes except the public ones. If it is empty, a
	// call that requires it fails before anything is sent.
	APIKey walletfi.Secret
	// AuthHeader is how the key is sent. Empty means AuthAPIKey.
	AuthHeader AuthHeader

	walletfi.Options
}

// Client calls the burn and close service. It is safe for concurrent use.
type Client struct {
	t      *transport.Client
	hasKey bool
}

// New checks cfg and returns a client. It opens no connection.
func New(cfg Config) (*Client, error) {
	problem := check.All(
		transport.ValidateKey("apiKey", cfg.APIKey, false),
		check.OptionalOneOf("authHeader", cfg.AuthHeader, AuthAPIKey, AuthBearer),
	)
	auth := transport.HeaderKey("x-api-key", "", cfg.APIKey)
	if cfg.AuthHeader == AuthBearer {
		auth = transport.HeaderKey("Authorization", "Bearer ", cfg.APIKey)
	}
	t, err := transport.New(transport.Config{
		Service: service,
		Invalid: problem,
		BaseURL: cfg.BaseURL,
		Options: cfg.Options,
		Auth:    auth,
	})
	if err != nil {
		return nil, check.Config(cfg, err)
	}
	return &Client{t, !cfg.APIKey.IsZero() || !transport.NeedsKey(cfg.Options, service)}, nil
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

// keyed adds to a request's problem that the client has no key.
func (c *Client) keyed(problem error) error {
	return check.All(check.That(c.made().hasKey, "apiKey", "is required for this call"), problem)
}
