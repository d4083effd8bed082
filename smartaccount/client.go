package smartaccount

import (
	"cmp"
	"context"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/bearer"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// Config configures a Client.
type Config struct {
	// BaseURL is the address of the service with its path prefix, such as
	// "https://accounts.example.com/api/v1". There is no default.
	BaseURL string
	// Token is the initial token, kept in memory; a refresh token alone is enough.
	// If zero, the token comes from TokenStore, or the client signs in later.
	Token walletfi.Token
	// TokenStore keeps the tokens across restarts and shares them between clients.
	// Set it or Token, not both. Nil means memory.
	TokenStore walletfi.TokenStore
	// RefreshTimeout bounds one renewal of the token, from its turn on: of all clients
	// of the process, 64 renew their token at one host at a time, first come first
	// served. A renewal that has no turn within a minute, or within RefreshTimeout if
	// that is longer, fails with walletfi.ErrUnavailable. 0 means 15 seconds.
	RefreshTimeout time.Duration
	// ExpiresInUnit is the unit of the token's lifetime. 0 means seconds.
	ExpiresInUnit time.Duration

	walletfi.Options
}

// Client calls the smart account service. It is safe for concurrent use.
type Client struct {
	t      *transport.Client
	bearer *bearer.Tokens
	unit   time.Duration // of expiresIn
}

// spread is up to how much earlier than need be a token is renewed, so that those of
// many clients that signed in at once do not expire at once.
const spread = 5 * time.Minute

// New checks cfg and returns a client. It opens no connection and does not
// read the store.
func New(cfg Config) (*Client, error) {
	hasToken := !cfg.Token.Access.IsZero() || !cfg.Token.Refresh.IsZero()
	problem := check.All(
		transport.ValidateKey("token.access", cfg.Token.Access, false),
		check.That(cfg.TokenStore == nil || !hasToken, "tokenStore", "must not be set together with token"),
		check.That(cfg.RefreshTimeout >= 0, "refreshTimeout", "must not be negative"),
		check.That(cfg.ExpiresInUnit >= 0, "expiresInUnit", "must not be negative"),
	)
	c := &Client{unit: cmp.Or(cfg.ExpiresInUnit, time.Second)}
	c.bearer = bearer.New(bearer.Config{
		Store: startStore(cfg), Observer: cfg.Observer, Service: "smartaccount",
		RefreshTimeout: cfg.RefreshTimeout, Spread: spread, Room: bearer.RenewalsOf(cfg.BaseURL),
		Now: func() time.Time { return clock.Now(cfg.Clock) },
		Refresh: func(ctx context.Context, old walletfi.Token) (walletfi.Token, error) {
			// The bearer paces its own attempts: repeats of this one would use up the
			// budget in an outage of seconds.
			token, err := c.RefreshToken(ctx, old, walletfi.Urgent(), walletfi.WithoutRetry())
			if !token.Access.IsZero() {
				err = nil // a 401 says when it expires
			}
			return token, err
		},
	})
	refresh := &refreshLimiter{clock: cfg.Clock}
	var err error
	c.t, err = transport.New(transport.Config{
		Service:  "smartaccount",
		Invalid:  problem,
		BaseURL:  cfg.BaseURL,
		Prefix:   "/api/v1",
		Options:  cfg.Options,
		Auth:     c.bearer,
		Limits:   budgets,
		With:     refresh.addTo,
		Envelope: envelope, RateHeaders: true,
	})
	if err != nil {
		return nil, check.Config(cfg, err)
	}
	refresh.client = c.t
	return c, nil
}

func startStore(cfg Config) walletfi.TokenStore {
	if cfg.TokenStore != nil {
		return cfg.TokenStore
	}
	store := new(walletfi.MemoryTokenStore)
	_ = store.Save(context.Background(), cfg.Token) // memory cannot fail
	return store
}

// made is the zero client in place of a nil one: both answer each call with an error.
func (c *Client) made() *Client {
	if c == nil {
		return new(Client)
	}
	return c
}

// Limiter returns the client's rate limiter of a class such as ClassRead, so
// that another client of the same user can share its budget through
// Options.Limiter.
func (c *Client) Limiter(class string) ratelimit.Limiter { return c.made().t.Limiter(class) }
