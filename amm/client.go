package amm

import (
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/transport"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// DefaultPause is in the middle of the one to two seconds that the service asks
// for. Requests that the network moves closer together are still a second
// apart.
const DefaultPause = 1500 * time.Millisecond

// ClassAll is the class of all calls. DefaultPause, or Config.Pause, is between any
// two of them; there is no budget.
const ClassAll = ""

const service = "amm"

// Config configures a Client.
type Config struct {
	// TradeURL is the address for quotes and transactions, such as
	// "https://trade.example.com". There is no default.
	TradeURL string
	// DataURL is the address for priority fees, pools and tokens. There is no
	// default; it may be the same as TradeURL.
	DataURL string
	// Pause is the time between two requests to either host. Nil means
	// DefaultPause, 0 means no pause.
	Pause *time.Duration
	// EchoEnvelope makes BuildSwap send the whole answer to a quote as
	// swapResponse, not only its data: some deployments expect that. It takes
	// effect when the quote is requested.
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
	problem := check.All(check.NotNegative("pause", pause), transport.ValidateFallback(cfg.LimiterFallback))
	var limiter ratelimit.Limiter
	if problem == nil {
		limiter = cfg.limiter(pause)
	}
	trade, noTrade := cfg.host("tradeURL", cfg.TradeURL, limiter)
	data, noData := cfg.host("dataURL", cfg.DataURL, limiter)
	if err := check.Config(cfg, problem, noTrade, noData); err != nil {
		return nil, err
	}
	return &Client{trade, data, limiter, cfg.EchoEnvelope}, nil
}

// limiter returns the one limiter that both hosts share.
func (cfg Config) limiter(pause time.Duration) ratelimit.Limiter {
	shared := transport.SharedLimiter(cfg.Options, ratelimit.Scope{Service: service, Class: ClassAll, Pace: pause})
	if shared != nil {
		return shared
	}
	return ratelimit.NewPacer(pause).WithClock(cfg.Clock)
}

// host returns the client of one host; field is the name of its URL in errors.
func (cfg Config) host(field, base string, limiter ratelimit.Limiter) (*transport.Client, error) {
	options := cfg.Options
	options.Limiter, options.LimiterFallback = nil, ratelimit.Fallback{}
	live := liveAccept
	if cfg.EchoEnvelope {
		live = nil // the envelope goes back too
	}
	return transport.New(transport.Config{
		Service:  service,
		BaseURL:  base,
		URLField: field,
		Options:  options,
		Limiter:  func(string) ratelimit.Limiter { return limiter },
		Envelope: envelope,
		Accept:   neutralNames.accept, LiveAccept: live,
	})
}

// made is the zero client in place of a nil one: both answer each call with an error.
func (c *Client) made() *Client {
	if c == nil {
		return new(Client)
	}
	return c
}

// Limiter returns the client's limiter, one for all classes, so that another client of the
// same service can share it through Options.Limiter.
func (c *Client) Limiter(string) ratelimit.Limiter { return c.made().limiter }
