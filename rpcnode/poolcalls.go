package rpcnode

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// headOnce is Head without a repeat.
func (c *Client) headOnce(ctx context.Context) (slot, height uint64, err error) {
	answer, err := c.rpc.GetEpochInfo(ctx, c.settled())
	if err != nil {
		return 0, 0, err
	}
	if answer == nil || answer.AbsoluteSlot == 0 {
		return 0, 0, incomplete("getEpochInfo")
	}
	return answer.AbsoluteSlot, answer.BlockHeight, nil
}

// Submit sends tx to several nodes at once, the healthy ones first, in turns:
// see Client.Submit. It succeeds if one takes it, and says that tx was not sent
// only if each of them says so.
func (p *Pool) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	type outcome struct {
		signature string
		err       error
	}
	order := p.ranked(ctx)
	count := min(p.cfg.SendTo, len(order))
	p.mu.Lock()
	first := p.turn
	p.turn += count
	p.mu.Unlock()
	outcomes := make([]outcome, count)
	var all sync.WaitGroup
	for k := range count {
		i := order[k]
		if k > 0 { // the best one always, the others in turns
			i = order[1+(first+k-1)%(len(order)-1)]
		}
		all.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, p.cfg.TryTimeout)
			defer cancel()
			signature, err := p.cfg.Nodes[i].Submit(ctx, tx)
			if errors.Is(err, context.DeadlineExceeded) {
				p.note(i, 0, err)
			}
			outcomes[k] = outcome{signature, err}
		})
	}
	all.Wait()
	var doubt, refused error
	for _, o := range outcomes {
		switch {
		case o.err == nil:
			return o.signature, nil
		case errors.Is(o.err, walletfi.ErrNotSent) && !errors.Is(o.err, walletfi.ErrOutcomeUnknown):
			refused = o.err
		default:
			doubt = o.err
		}
	}
	if doubt != nil {
		return "", doubt
	}
	return "", refused
}

// SignatureStatus asks a healthy node: see Client.SignatureStatus.
func (p *Pool) SignatureStatus(ctx context.Context, signature string) (walletfi.SignatureStatus, error) {
	return try(ctx, p, func(ctx context.Context, c *Client) (walletfi.SignatureStatus, error) {
		return c.SignatureStatus(ctx, signature)
	})
}

// SignatureStatuses asks a healthy node: see Client.SignatureStatuses.
func (p *Pool) SignatureStatuses(ctx context.Context, signatures []string) (walletfi.SignatureStatuses, error) {
	return try(ctx, p, func(ctx context.Context, c *Client) (walletfi.SignatureStatuses, error) {
		return c.SignatureStatuses(ctx, signatures)
	})
}

// Head asks a healthy node: see Client.Head.
func (p *Pool) Head(ctx context.Context) (walletfi.Head, error) {
	return try(ctx, p, func(ctx context.Context, c *Client) (walletfi.Head, error) { return c.Head(ctx) })
}

// BlockHeight asks a healthy node: see Client.BlockHeight.
func (p *Pool) BlockHeight(ctx context.Context) (uint64, error) {
	return try(ctx, p, func(ctx context.Context, c *Client) (uint64, error) { return c.BlockHeight(ctx) })
}

// FinalTime asks a healthy node: see Client.FinalTime.
func (p *Pool) FinalTime(ctx context.Context, slot uint64) (time.Time, error) {
	return try(ctx, p, func(ctx context.Context, c *Client) (time.Time, error) { return c.FinalTime(ctx, slot) })
}

// LatestBlockhash asks a healthy node: see Client.LatestBlockhash.
func (p *Pool) LatestBlockhash(ctx context.Context) (blockhash string, lastValidBlockHeight uint64, err error) {
	blockhash, err = try(ctx, p, func(ctx context.Context, c *Client) (hash string, err error) {
		hash, lastValidBlockHeight, err = c.LatestBlockhash(ctx)
		return hash, err
	})
	return blockhash, lastValidBlockHeight, err
}

// DurableNonce asks a healthy node: see Client.DurableNonce.
func (p *Pool) DurableNonce(ctx context.Context, account signing.PublicKey) (*DurableNonce, error) {
	return try(ctx, p, func(ctx context.Context, c *Client) (*DurableNonce, error) { return c.DurableNonce(ctx, account) })
}

// LookupTable asks a healthy node: see Client.LookupTable.
func (p *Pool) LookupTable(ctx context.Context, table signing.PublicKey) (signing.LookupTable, error) {
	return try(ctx, p, func(ctx context.Context, c *Client) (signing.LookupTable, error) {
		return c.LookupTable(ctx, table)
	})
}

var _ signing.AccountReader = (*Pool)(nil)

// Accounts asks a healthy node: see Client.Accounts.
func (p *Pool) Accounts(ctx context.Context, accounts []signing.PublicKey) ([]signing.AccountState, error) {
	return try(ctx, p, func(ctx context.Context, c *Client) ([]signing.AccountState, error) {
		return c.Accounts(ctx, accounts)
	})
}

// Simulate asks a healthy node: see Client.Simulate.
func (p *Pool) Simulate(ctx context.Context, req signing.SimulationRequest) (*signing.Simulation, error) {
	return try(ctx, p, func(ctx context.Context, c *Client) (*signing.Simulation, error) { return c.Simulate(ctx, req) })
}

// SimulateAfter asks a healthy node that can: see Client.SimulateAfter.
func (p *Pool) SimulateAfter(
	ctx context.Context, earlier []*signing.Transaction, req signing.SimulationRequest,
) (*signing.Simulation, error) {
	return try(ctx, p, func(ctx context.Context, c *Client) (*signing.Simulation, error) {
		return c.SimulateAfter(ctx, earlier, req)
	})
}
