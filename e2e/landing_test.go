package e2e

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/pause"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/ratelimit"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

var landings = flag.Int("landings", 300, "intents of a row of TestLanding")

// cluster is one row of the table.
type cluster struct {
	name    string
	network sandbox.Network
	nodes   int           // that the wallet uses
	builder int           // the node that tells the blockhash
	push    bool          // told when a status changes
	within  time.Duration // in which the intents arrive, 0 for all at once
	intents int           // 0 means the flag's
	limit   int           // requests a second that the wallet keeps to, 0 means none
	// What must be reached.
	landed      float64 // per cent
	median, p95 float64 // seconds, 0 for any
	requests    float64 // for each intent, 0 for any
}

// TestLanding sends intents through clusters that lose what they are sent.
func TestLanding(t *testing.T) {
	two := []sandbox.Node{{}, {}}
	for _, resends := range []bool{false, true} {
		for _, c := range []cluster{
			{network: sandbox.Network{Reach: .1}, landed: 99, median: 7.3, p95: 24},
			{network: sandbox.Network{Reach: .3}, landed: 100, median: 3.0, p95: 10},
			{network: sandbox.Network{Reach: .7}, landed: 100, median: 1.4, p95: 3.7},
			{network: sandbox.Network{Reach: 1}, landed: 100, median: 1.2, p95: 1.9},
		} {
			c.name = fmt.Sprintf("p=%v resends=%s", c.network.Reach, map[bool]string{true: "on", false: "off"}[resends])
			c.network.Resends, c.network.Nodes = resends, two
			c.nodes, c.push, c.within, c.requests = 2, true, time.Minute, 1/c.network.Reach+3
			c.median, c.p95 = 1.1*c.median, 1.1*c.p95
			c.run(t)
		}
	}
	for _, c := range []cluster{
		{name: "a node 30 slots behind", network: sandbox.Network{Reach: .7, Nodes: []sandbox.Node{{Lag: 30}, {}}}, nodes: 2, builder: 1, within: time.Minute, landed: 100},
		{name: "a node that never answers", network: sandbox.Network{Reach: .7, Nodes: []sandbox.Node{{}, {Silent: true}}}, nodes: 2, push: true, within: time.Minute, landed: 100, median: 2.2},
		{name: "500 at once, 100 a second", network: sandbox.Network{Reach: .7, Nodes: []sandbox.Node{{PerSecond: 100}, {}}}, nodes: 1, builder: 1, intents: 500, limit: 80, landed: 100},
		{name: "one node, 10 a second", network: sandbox.Network{Reach: .7, Nodes: []sandbox.Node{{PerSecond: 10}, {}}}, nodes: 1, builder: 1, intents: 100, within: time.Minute, limit: 8},
	} {
		c.run(t)
	}
}

func (c cluster) run(t *testing.T) {
	if c.intents == 0 {
		c.intents = *landings
	}
	s := flows.Start(t, sandbox.Config{ManualClock: true, NoLimits: true, Network: &c.network})
	wiretest.InBubble(t, c.name, func(t *testing.T) {
		f := newFleet(t, s, c)
		go pump(f.box, f.stop, f.pushes.tell)
		f.fire(t)
		f.report(t)
	})
}

// fleet is the intents of a cluster under way.
type fleet struct {
	cluster
	box      *sandbox.Sandbox
	builder  *rpcnode.Client
	wallet   *wallet.Wallet
	owner    solana.PublicKey
	counting *counting
	pushes   *pushes
	stop     chan struct{}

	mu        sync.Mutex
	took      []time.Duration // of what is confirmed
	confirmed []string
	expired   []string
	others    []error
}

// counting counts what is sent to the nodes.
type counting struct {
	http.RoundTripper
	requests, refused atomic.Int64
}

func (c *counting) RoundTrip(r *http.Request) (*http.Response, error) {
	c.requests.Add(1)
	answer, err := c.RoundTripper.RoundTrip(r)
	if err == nil && answer.StatusCode == http.StatusTooManyRequests {
		c.refused.Add(1)
	}
	return answer, err
}

// sharedNodes are the first n nodes of a sandbox, within perSecond requests together, 0 for any.
func sharedNodes(t *testing.T, s *sandbox.Sandbox, over http.RoundTripper, n, perSecond int) (nodes []*rpcnode.Client) {
	t.Helper()
	var limiter ratelimit.Limiter
	if perSecond > 0 {
		limiter = ratelimit.New(ratelimit.Budget{Requests: perSecond, Per: time.Second})
	}
	for i := range n {
		node, err := rpcnode.New(rpcnode.Config{
			URL: walletfi.NewSecret(s.Ledger().NodeURL(i)), HTTPClient: &http.Client{Transport: over},
			SkipPreflight: true, MaxRetries: new(uint(0)), Limiter: limiter,
		})
		require.NoError(t, err)
		nodes = append(nodes, node)
	}
	return nodes
}

func newFleet(t *testing.T, s *sandbox.Sandbox, c cluster) *fleet {
	t.Helper()
	f := &fleet{
		cluster: c, box: s, owner: solana.MustPublicKeyFromBase58(s.WalletAddress()),
		counting: &counting{RoundTripper: s.Transport()}, pushes: &pushes{box: s, of: map[string]func(){}}, stop: make(chan struct{}),
	}
	f.builder = f.node(t, c.builder, s.Transport())
	nodes := sharedNodes(t, s, f.counting, c.nodes, c.limit)
	key, err := signing.NewLocalKey(s.Wallet())
	require.NoError(t, err)
	config := wallet.Config{
		Signer: key, Guard: signing.NewGuard(signing.Policy{}), Submitter: nodes[0], Confirmer: nodes[0], Heights: nodes[0],
	}
	for _, node := range nodes[1:] {
		config.Also, config.AlsoFor = append(config.Also, node), []string{"test"}
	}
	if c.push {
		config.Confirmer = watched{nodes[0], f.pushes}
	}
	f.wallet, err = wallet.New(config)
	require.NoError(t, err)
	return f
}

func (f *fleet) node(t *testing.T, i int, through http.RoundTripper) *rpcnode.Client {
	t.Helper()
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret(f.box.Ledger().NodeURL(i)), HTTPClient: &http.Client{Transport: through}})
	require.NoError(t, err)
	return node
}

// watched is a node with push.
type watched struct {
	*rpcnode.Client
	*pushes
}

// pushes tells when a transaction is confirmed, as a node's subscription does.
type pushes struct {
	box *sandbox.Sandbox
	mu  sync.Mutex
	of  map[string]func()
}

func (p *pushes) Watch(signature string, changed func()) (stop func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.of[signature] = changed
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.of, signature)
	}
}

func (p *pushes) tell() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for signature, changed := range p.of {
		if c := p.box.Ledger().TransactionStatus(signature).Commitment; c == "confirmed" || c == "finalized" {
			delete(p.of, signature)
			changed()
		}
	}
}

// pump moves the cluster's time with the bubble's until stop is closed. After each step it calls then.
func pump(box *sandbox.Sandbox, stop <-chan struct{}, then func()) {
	const step = 50 * time.Millisecond
	for {
		select {
		case <-stop:
			return
		case <-time.After(step):
			box.Advance(step)
			then()
		}
	}
}

// fire executes all intents and waits for them.
func (f *fleet) fire(t *testing.T) {
	defer close(f.stop)
	random := rand.New(rand.NewPCG(1, 2))
	pause.For(t.Context(), time.Second)
	var all sync.WaitGroup
	for i := range f.intents {
		after := time.Duration(0)
		if f.within > 0 {
			after = time.Duration(random.Int64N(int64(f.within)))
		}
		all.Go(func() {
			pause.For(t.Context(), after)
			f.one(t, uint64(i))
		})
	}
	all.Wait()
}

// one pays a lamport amount of its own to the owner.
func (f *fleet) one(t *testing.T, i uint64) {
	u := f.pay(t, i+1)
	if len(u.Transactions) == 0 {
		return
	}
	begun := time.Now()
	result, err := f.wallet.Execute(t.Context(), u, wallet.ExecuteOptions{})
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case err == nil:
		f.took = append(f.took, time.Since(begun))
		f.confirmed = append(f.confirmed, result.Signatures()...)
	case errors.Is(err, wallet.ErrExpired):
		f.expired = append(f.expired, result.Signatures()...)
	default:
		f.others = append(f.others, err)
	}
}

func (f *fleet) pay(t *testing.T, lamports uint64) walletfi.Unsigned {
	blockhash, last, err := f.blockhash(t.Context())
	if err != nil {
		t.Error(err)
		return walletfi.Unsigned{}
	}
	built, err := solana.NewTransaction([]solana.Instruction{system.NewTransferInstruction(lamports, f.owner, f.owner).Build()},
		solana.MustHashFromBase58(blockhash), solana.TransactionPayer(f.owner))
	if err != nil {
		t.Error(err)
		return walletfi.Unsigned{}
	}
	tx, err := solanago.FromSolana(built)
	if err != nil {
		t.Error(err)
		return walletfi.Unsigned{}
	}
	return walletfi.Unsigned{
		Blockhash: blockhash, LastValidBlockHeight: last, Transactions: []walletfi.EncodedTransaction{tx.Base64()},
		Intent: walletfi.Intent{
			Service: "test", Owner: f.owner.String(), PayTo: []string{f.owner.String()},
			Spend: []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: walletfi.Amount(lamports)}},
		},
	}
}

// blockhash asks until the node, which may be at its limit, answers.
func (f *fleet) blockhash(ctx context.Context) (string, uint64, error) {
	for n := 0; ; n++ {
		blockhash, last, err := f.builder.LatestBlockhash(ctx)
		if err == nil || n == 200 {
			return blockhash, last, err
		}
		pause.For(ctx, 300*time.Millisecond)
	}
}

func (f *fleet) report(t *testing.T) {
	ledger := f.box.Ledger()
	for _, signature := range f.confirmed {
		require.True(t, ledger.TransactionStatus(signature).Found, "confirmed and not on the ledger")
	}
	for _, signature := range f.expired {
		require.False(t, ledger.TransactionStatus(signature).Found, "expired and on the ledger")
	}
	slices.Sort(f.took)
	at := func(q float64) float64 {
		if len(f.took) == 0 {
			return 0
		}
		return f.took[int(q*float64(len(f.took)-1))].Seconds()
	}
	landed := 100 * float64(len(f.confirmed)) / float64(f.intents)
	requests := float64(f.counting.requests.Load()) / float64(f.intents)
	fmt.Printf("%s landed=%.1f median=%.1f p95=%.1f requests=%.1f refused=%d expired=%d unknown=%d\n",
		f.name, landed, at(.5), at(.95), requests, f.counting.refused.Load(), len(f.expired), len(f.others))
	require.Empty(t, f.others)
	require.GreaterOrEqual(t, landed, f.landed)
	if f.median > 0 {
		require.LessOrEqual(t, at(.5), f.median)
	}
	if f.p95 > 0 {
		require.LessOrEqual(t, at(.95), f.p95)
	}
	if f.requests > 0 {
		require.LessOrEqual(t, requests, f.requests)
	}
	if f.limit > 0 && f.landed > 0 {
		require.Zero(t, f.counting.refused.Load())
	}
}
