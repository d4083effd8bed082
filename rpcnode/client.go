package rpcnode

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/internal/peer"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/rpcnode/internal/solanarpc"
	"github.com/walletfi/walletfi-go/signing"
)

// Config configures a Client.
type Config struct {
	// URL is the node's JSON-RPC address, https except on loopback and for the
	// hosts of AllowHTTP. It may hold a key, so it is never printed. There is no
	// default.
	URL walletfi.Secret
	// AllowHTTP names hosts that may be spoken to without TLS.
	AllowHTTP []string
	// Header is added to every request, for nodes that take a key in one.
	Header map[string]walletfi.Secret
	// HTTPClient sends the requests. Nil means one with a timeout of 30 seconds, over the
	// connections that all clients of the process share, or http.DefaultTransport if the
	// program replaced that. It is not changed.
	HTTPClient *http.Client
	// Limiter keeps all requests to the node under its limit, such as
	// ratelimit.New(ratelimit.Budget{Requests: 80, Per: time.Second}). Reads go
	// before sends. Clients of the same node share one. A node that answers 429 is left
	// alone for as long as it says. Nil limits nothing else.
	Limiter ratelimit.Limiter
	// Costs is as how many requests of the Limiter's budgets a call of a method counts,
	// such as 10 for "getBlock" with a provider that counts credits. What is not listed
	// counts as 1. It is not changed.
	Costs map[string]int
	// Observer is told of each JSON-RPC call, its attempt and its waits; never of the
	// URL. Nil costs nothing.
	Observer observe.Observer
	// Commitment is that of all reads: blockhashes, heights, simulations.
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
	wire          *wire
	identity      string
	reached       atomic.Uint64 // the newest slot that the node has told
	commitment    rpc.CommitmentType
	skipPreflight bool
	maxRetries    *uint
	tables        kept[signing.PublicKey, []signing.PublicKey]
	digests       kept[solana.Signature, [sha256.Size]byte]
	nonceUses     kept[solana.Signature, use]
	blocks        kept[uint64, *block]  // finalized ones, by slot
	byHeight      kept[uint64, *block]  // the same
	gaps          kept[uint64, gap]     // slots that are said to have none
	without       kept[searched, int]   // blocks without a message, and how many transactions they have
	signatures    signatures            // of blocks
	bundlesOff    kept[struct{}, error] // why it cannot simulate them
	age           kept[rpc.CommitmentType, uint64]
	unshown       kept[rpc.CommitmentType, walletfi.Head] // told, and not held against its block
	reading       reading[uint64]
	fees          kept[string, slotFees] // by the accounts, in their order
	readingFees   reading[string]
	heads         heads
	sightings     sightings                     // transactions that were asked for
	newest        atomic.Pointer[walletfi.Head] // finalized, whose block was shown
	inGap         atomic.Uint64                 // slot of a finalized head whose block the node does not have
	observer      observe.Observer

	clock walletfi.Clock                             // nil is real time
	pause func(context.Context, time.Duration) error // on the clock, but in tests
}

// New checks cfg and returns a client. It opens no connection.
func New(cfg Config) (*Client, error) {
	commitment := cmp.Or(cfg.Commitment, walletfi.CommitmentConfirmed)
	problems := []error{
		checkURL(cfg.URL.Reveal(), cfg.AllowHTTP), checkHeader(cfg.Header), checkCommitment(commitment),
	}
	for _, method := range slices.Sorted(maps.Keys(cfg.Costs)) {
		problems = append(problems, check.That(cfg.Costs[method] >= 1, "costs", fmt.Sprintf("%q must be at least 1", method)))
	}
	if err := check.Config(cfg, problems...); err != nil {
		return nil, err
	}
	if cfg.MaxRetries != nil {
		cfg.MaxRetries = new(*cfg.MaxRetries)
	}
	carrier := newWire(cfg)
	return &Client{
		rpc: rpc.NewWithCustomRPCClient(carrier), wire: carrier, identity: identityOf(cfg.URL.Reveal()),
		commitment: rpc.CommitmentType(commitment), skipPreflight: cfg.SkipPreflight, maxRetries: cfg.MaxRetries,
		clock:      cfg.Clock,
		tables:     kept[signing.PublicKey, []signing.PublicKey]{most: maxTables, life: tableLife, clock: cfg.Clock},
		blocks:     kept[uint64, *block]{clock: cfg.Clock},
		gaps:       kept[uint64, gap]{life: gapLife, clock: cfg.Clock},
		bundlesOff: kept[struct{}, error]{life: bundlesOffLife, clock: cfg.Clock},
		age:        kept[rpc.CommitmentType, uint64]{life: ageLife, clock: cfg.Clock},
		unshown:    kept[rpc.CommitmentType, walletfi.Head]{life: toldLife, clock: cfg.Clock},
		fees:       kept[string, slotFees]{most: mostFeesKept, life: carrier.keepFees(), clock: cfg.Clock},
		pause:      func(ctx context.Context, d time.Duration) error { return clock.Wait(ctx, cfg.Clock, d) },
		observer:   cfg.Observer,
	}, nil
}

// identityOf is a digest of an address, which may hold a key.
func identityOf(url string) string {
	digest := sha256.Sum256([]byte(url))
	return hex.EncodeToString(digest[:8])
}

// tells notes a slot that the node has told.
func (c *Client) tells(slot uint64) {
	for was := c.reached.Load(); slot > was && !c.reached.CompareAndSwap(was, slot); was = c.reached.Load() {
	}
}

func init() { solanarpc.Of = func(node any) *rpc.Client { return node.(*Client).rpc } }

// checkURL never repeats the URL: many nodes take their key in it.
func checkURL(text string, allowHTTP []string) error {
	if _, problem := peer.Address(text, allowHTTP); problem != "" {
		return &walletfi.ValidationError{Field: "url", Problem: problem}
	}
	return nil
}

func checkCommitment(c walletfi.Commitment) error {
	return check.That(c.AtLeast(walletfi.CommitmentProcessed), "commitment", "must be processed, confirmed or finalized")
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

// defaultTimeout bounds an attempt if the caller has set no HTTP client.
const defaultTimeout = 30 * time.Second

// newMask hides what the node's URL and headers hold in texts that others
// wrote: a DNS error names the host, and a gateway may repeat a key.
func newMask(cfg Config) *peer.Mask {
	// Words such as "v1" and "rpc" stay readable.
	const shortest = 6
	var secrets []string
	text := cfg.URL.Reveal()
	if u, err := url.Parse(text); err == nil {
		secrets = peer.URLSecrets(u)
		parts := append(strings.Split(u.Path, "/"), text, u.RequestURI(), u.Host, u.Hostname())
		for _, part := range parts {
			if len(part) >= shortest {
				secrets = append(secrets, part)
			}
		}
	}
	for _, value := range cfg.Header {
		// "Bearer x" is masked as a whole and as x.
		v := value.Reveal()
		secrets = append(secrets, v, v[strings.LastIndexByte(v, ' ')+1:])
	}
	return peer.NewMask(secrets)
}
