package rpcnode

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
)

// Config is what a Client is made of.
type Config struct {
	// URL is the node's JSON-RPC address, https except on loopback and for the
	// hosts of AllowHTTP. It may hold a key, so it is never printed. There is no
	// default.
	URL walletfi.Secret
	// AllowHTTP names hosts that may be spoken to without TLS.
	AllowHTTP []string
	// Header is added to every request, for nodes that take a key in one.
	Header map[string]walletfi.Secret
	// HTTPClient sends the requests. Nil means one with a timeout of 30 seconds.
	// It is not changed.
	HTTPClient *http.Client
	// Limiter keeps all requests to the node under its limit, such as
	// ratelimit.New(ratelimit.Budget{Requests: 80, Per: time.Second}). Reads go
	// before sends. Clients of the same node share one. Nil limits nothing.
	Limiter ratelimit.Limiter
	// Observer is told of each JSON-RPC call, its attempt and its waits; never of the
	// URL. Nil costs nothing.
	Observer observe.Observer
	// Commitment is what the node reads at: blockhashes, heights, simulations.
	// Empty means walletfi.CommitmentConfirmed.
	Commitment walletfi.Commitment
	// SkipPreflight sends without the node's own simulation first.
	SkipPreflight bool
	// Clock moves the waits between repeats, the life of what is cached and a Pool's
	// notes on its nodes. Timeouts stay in real time. Nil means real time. See
	// walletfi.Clock.
	Clock walletfi.Clock
	// MaxRetries is how often the node itself sends a transaction on to the
	// leader. Nil leaves it to the node, 0 means not again.
	MaxRetries *uint
}

// Client speaks to one node. It is safe for concurrent use.
type Client struct {
	rpc           *rpc.Client
	commitment    rpc.CommitmentType
	skipPreflight bool
	maxRetries    *uint
	tables        tableCache
	digests       digests
	observer      observe.Observer

	clock walletfi.Clock                             // nil is real time
	pause func(context.Context, time.Duration) error // on the clock, but in tests
}

// New checks cfg and returns a client. It opens no connection.
func New(cfg Config) (*Client, error) {
	if err := checkURL(cfg.URL.Reveal(), cfg.AllowHTTP); err != nil {
		return nil, err
	}
	if err := checkHeader(cfg.Header); err != nil {
		return nil, err
	}
	commitment := cfg.Commitment
	if commitment == "" {
		commitment = walletfi.CommitmentConfirmed
	}
	if !commitment.AtLeast(walletfi.CommitmentProcessed) {
		return nil, &walletfi.ValidationError{Field: "commitment", Problem: "must be processed, confirmed or finalized"}
	}
	if cfg.MaxRetries != nil {
		cfg.MaxRetries = new(*cfg.MaxRetries)
	}
	return &Client{
		rpc:        rpc.NewWithCustomRPCClient(newWire(cfg)),
		commitment: rpc.CommitmentType(commitment), skipPreflight: cfg.SkipPreflight, maxRetries: cfg.MaxRetries,
		clock: cfg.Clock, tables: tableCache{clock: cfg.Clock},
		pause:    func(ctx context.Context, d time.Duration) error { return clock.Wait(ctx, cfg.Clock, d) },
		observer: cfg.Observer,
	}, nil
}

// RPC returns solana-go's client of the node, for what this package does not
// offer. Its calls go the same way: the errors are this package's and never
// show the node's URL. It repeats nothing.
func (c *Client) RPC() *rpc.Client { return c.rpc }

// checkURL never repeats the URL: many nodes take their key in it.
func checkURL(text string, allowHTTP []string) error {
	if _, problem := peer.Address(text, allowHTTP); problem != "" {
		return &walletfi.ValidationError{Field: "url", Problem: problem}
	}
	return nil
}

// checkHeader refuses what would break the request, without repeating a value.
func checkHeader(header map[string]walletfi.Secret) error {
	for _, name := range slices.Sorted(maps.Keys(header)) {
		if !peer.ValidHeader(name, header[name].Reveal()) {
			return &walletfi.ValidationError{Field: "header", Problem: fmt.Sprintf("%q is not a header that can be sent", name)}
		}
	}
	return nil
}

// defaultTimeout bounds an attempt if the caller brings no HTTP client.
const defaultTimeout = 30 * time.Second
