package rpcnode

import (
	"fmt"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
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
	// Commitment is what the node reads at: blockhashes, heights, simulations.
	// Empty means walletfi.CommitmentConfirmed.
	Commitment walletfi.Commitment
	// SkipPreflight sends without the node's own simulation first.
	SkipPreflight bool
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
	}, nil
}

// RPC returns solana-go's client of the node, for what this package does not
// offer. Its calls go the same way: the errors are this package's and never
// show the node's URL. It repeats nothing.
func (c *Client) RPC() *rpc.Client { return c.rpc }

// checkURL never echoes the URL: many nodes take their key in it.
func checkURL(text string, allowHTTP []string) error {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "":
		return &walletfi.ValidationError{Field: "url", Problem: "is not an absolute URL"}
	case u.Scheme == "https":
		return nil
	case u.Scheme != "http":
		return &walletfi.ValidationError{Field: "url", Problem: "must be https"}
	}
	ip, err := netip.ParseAddr(u.Hostname())
	if err == nil && ip.IsLoopback() || u.Hostname() == "localhost" ||
		slices.Contains(allowHTTP, u.Hostname()) || slices.Contains(allowHTTP, u.Host) {
		return nil
	}
	return &walletfi.ValidationError{Field: "url", Problem: "must be https; AllowHTTP names exceptions"}
}

// checkHeader refuses what would break the request, without echoing a value.
func checkHeader(header map[string]walletfi.Secret) error {
	for name, value := range header {
		if name == "" || strings.ContainsAny(name, " :\t\r\n") || strings.ContainsAny(value.Reveal(), "\r\n\x00") {
			return &walletfi.ValidationError{Field: "header", Problem: fmt.Sprintf("%q is not a header that can be sent", name)}
		}
	}
	return nil
}

// defaultTimeout bounds an attempt where the caller brings no HTTP client.
const defaultTimeout = 30 * time.Second
