package rpcnode

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/signing"
)

var (
	_ walletfi.Panel          = (*Pool)(nil)
	_ walletfi.Submitter      = (*Pool)(nil)
	_ walletfi.BatchConfirmer = (*Pool)(nil)
	_ walletfi.HeadReader     = (*Pool)(nil)
	_ walletfi.BlockHeighter  = (*Pool)(nil)
	_ walletfi.FeeReader      = (*Pool)(nil)
	_ signing.Resolver        = (*Pool)(nil)
	_ signing.SetSimulator    = (*Pool)(nil)
)

// PoolConfig configures a Pool.
type PoolConfig struct {
	// Nodes are clients of different nodes of the same cluster, the preferred one
	// first. Each keeps to its own Limiter. Required.
	Nodes []*Client
	// SendTo is how many nodes get each transaction, in turns. 0 means 2.
	SendTo int
	// TryTimeout bounds one attempt on one node. 0 means 2 s.
	TryTimeout time.Duration
}

// Bounds of a pool's trust in its nodes.
const (
	delinquent  = 128 // slots of lag at which the cluster calls a node so
	fewSlots    = 8   // that make no difference
	healthEvery = 5 * time.Second
	soreFor     = 10 * time.Second // after an attempt that was not answered
)

// Pool is several nodes in one. A read goes to the first node that is healthy:
// that answered lately and lags the best head by no more than 8 slots, else to
// the one that lags least. One that lags by 128 slots or did not answer in time
// comes last. If a node fails, the next one is asked. What belongs
// together, such as statuses and their slot, comes from one answer of one node.
//
// It is a [walletfi.Panel]: as a wallet's Confirmer, the wallet asks all nodes
// itself, and believes no minority.
type Pool struct {
	cfg PoolConfig

	mu     sync.Mutex
	health []health // by node
	asked  time.Time
	turn   int
}

// health holds the notes on a node.
type health struct {
	slot uint64
	sore time.Time // until then it is asked last
}

// NewPool checks cfg.
func NewPool(cfg PoolConfig) (*Pool, error) {
	err := check.Config(cfg,
		check.That(len(cfg.Nodes) > 0 && !slices.Contains(cfg.Nodes, nil), "nodes", "are required"),
		check.NotNegative("sendTo", cfg.SendTo),
		check.NotNegative("tryTimeout", cfg.TryTimeout),
	)
	if err != nil {
		return nil, err
	}
	cfg.Nodes = slices.Clone(cfg.Nodes)
	if cfg.SendTo == 0 {
		cfg.SendTo = 2
	}
	if cfg.TryTimeout == 0 {
		cfg.TryTimeout = 2 * time.Second
	}
	return &Pool{cfg: cfg, health: make([]health, len(cfg.Nodes))}, nil
}

// Nodes implements walletfi.Panel.
func (p *Pool) Nodes() []walletfi.Confirmer {
	nodes := make([]walletfi.Confirmer, len(p.cfg.Nodes))
	for i, n := range p.cfg.Nodes {
		nodes[i] = n
	}
	return nodes
}

// ranked lists the nodes, the best first.
func (p *Pool) ranked(ctx context.Context) []int {
	p.mu.Lock()
	due := clock.Since(p.cfg.Nodes[0].clock, p.asked) > healthEvery
	if due {
		p.asked = clock.Now(p.cfg.Nodes[0].clock)
	}
	p.mu.Unlock()
	if due {
		p.examine(ctx)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	best := p.best()
	order := make([]int, len(p.health))
	for i := range order {
		order[i] = i
	}
	now := clock.Now(p.cfg.Nodes[0].clock)
	rank := func(i int) uint64 {
		h := p.health[i]
		behind := best - min(h.slot, best)
		switch {
		case now.Before(h.sore) || h.slot > best+delinquent:
			return 1 << 62
		case behind <= fewSlots:
			return 0
		case behind >= delinquent:
			return 1<<61 + behind
		}
		return behind
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rank(a), rank(b)) })
	return order
}

// best is the highest slot that more nodes have reached than may lie.
func (p *Pool) best() uint64 {
	slots := make([]uint64, len(p.health))
	for i, h := range p.health {
		slots[i] = h.slot
	}
	slices.Sort(slots)
	return slots[len(slots)-1-(len(slots)-1)/2]
}

// examine asks all nodes for their heads. It waits for as many as are needed to
// tell the best one, and a moment longer.
func (p *Pool) examine(ctx context.Context) {
	const moment = 250 * time.Millisecond
	ctx, cancel := context.WithTimeout(ctx, p.cfg.TryTimeout)
	var all sync.WaitGroup
	answered := make(chan bool, len(p.cfg.Nodes))
	for i, n := range p.cfg.Nodes {
		all.Go(func() {
			slot, _, err := n.headOnce(ctx)
			p.note(i, slot, err)
			answered <- err == nil
		})
	}
	timer := time.NewTimer(p.cfg.TryTimeout)
	defer timer.Stop()
	for n := range p.cfg.Nodes {
		select {
		case ok := <-answered:
			if ok && n >= (len(p.cfg.Nodes)-1)/2 {
				timer.Reset(moment)
			}
			continue
		case <-timer.C:
		}
		break
	}
	cancel()
	all.Wait()
}

// note takes in the outcome of an attempt.
func (p *Pool) note(i int, slot uint64, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err != nil:
		p.health[i].sore = clock.Now(p.cfg.Nodes[0].clock).Add(soreFor)
	case slot > 0:
		p.health[i] = health{slot: slot}
	}
}

// try asks one node after the other until one answers.
func try[T any](ctx context.Context, p *Pool, ask func(context.Context, *Client) (T, error)) (value T, err error) {
	for _, i := range p.ranked(ctx) {
		once, cancel := context.WithTimeout(ctx, p.cfg.TryTimeout)
		value, err = ask(once, p.cfg.Nodes[i])
		cancel()
		unknown := errors.Is(err, signing.ErrUnknown)
		if err == nil || ctx.Err() != nil || !unknown && !elsewhere(err) {
			return value, err
		}
		if !unknown || errors.Is(err, walletfi.ErrDecode) {
			p.note(i, 0, err)
		}
	}
	return value, err
}

// elsewhere reports an error that says something of the node and nothing of what
// was asked for.
func elsewhere(err error) bool {
	for _, kind := range []error{
		walletfi.ErrUnavailable, walletfi.ErrRateLimited, walletfi.ErrDecode, walletfi.ErrUnauthorized,
		walletfi.ErrForbidden, context.DeadlineExceeded,
	} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}
