package amm

import (
	"errors"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// DefaultPause lies in the middle of the one to two seconds that the service
// asks for, so that requests which the network brings closer together are
// still a second apart.
const DefaultPause = 1500 * time.Millisecond

// Config configures a Client.
type Config struct {
	// TradeURL is where quotes and transactions come from, such as
	// "https://trade.example.com". There is no default.
	TradeURL string
	// DataURL is where priority fees, pools and tokens come from. There is no
	// default; it may be the same as TradeURL.
	DataURL string
	// Pause is the time between two requests, whichever host they go to. Nil
	// means DefaultPause, 0 means none.
	Pause *time.Duration
	// EchoEnvelope makes BuildSwap send a quote's whole answer as swapResponse
	// instead of its data alone: some deployments want that. It takes effect
	// when the quote is taken.
	EchoEnvelope bool

	walletfi.Options
}

// Client calls the AMM routing service. It is safe for concurrent use.
type Client struct {
	trade, data  *transport.Client
	limiter      ratelimit.Limiter
	echoEnvelope bool
}

// New checks cfg and returns a client. It opens no connection.
func New(cfg Config) (*Client, error) {
	pause := DefaultPause
	if cfg.Pause != nil {
		pause = *cfg.Pause
	}
	if err := check.NotNegative("pause", pause); err != nil {
		return nil, err
	}
	limiter := cfg.limiter(pause)
	trade, problem := cfg.host("tradeURL", cfg.TradeURL, limiter)
	data, other := cfg.host("dataURL", cfg.DataURL, limiter)
	if err := errors.Join(problem, other); err != nil {
		return nil, err
	}
	return &Client{trade, data, limiter, cfg.EchoEnvelope}, nil
}

// limiter is asked for once: the two hosts share one pace.
func (cfg Config) limiter(pause time.Duration) ratelimit.Limiter {
	if cfg.Options.Limiter != nil {
		if own := cfg.Options.Limiter(""); own != nil {
			return own
		}
	}
	return ratelimit.NewPacer(pause)
}

// host makes the client of one host; field names its URL in errors.
func (cfg Config) host(field, base string, limiter ratelimit.Limiter) (*transport.Client, error) {
	options := cfg.Options
	options.Limiter = nil
	t, err := transport.New(transport.Config{
		Service:  "amm",
		BaseURL:  base,
		Options:  options,
		Limiter:  func(string) ratelimit.Limiter { return limiter },
		Envelope: envelope,
		Accept:   liveNames(cfg.Vocabulary).accept, LiveAccept: true,
	})
	if v, ok := errors.AsType[*walletfi.ValidationError](err); ok && v.Field == "baseURL" {
		return nil, &walletfi.ValidationError{Field: field, Problem: v.Problem}
	}
	return t, err
}

// Limiter returns what paces the client, so that another client of the same
// service can share it through Options.Limiter.
func (c *Client) Limiter() ratelimit.Limiter { return c.limiter }
