package rpcnode

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/gagliardetto/solana-go/rpc"
	"github.com/mr-tron/base58"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/proof"
	"github.com/walletfi/walletfi-go/signing"
)

// Ability says what a node can show of a transaction that it does not know: see
// [Client.Prove].
type Ability struct {
	// Recent says that it can be proven that a transaction has expired, as long as its
	// blocks are in the node's cache of statuses, about a minute after its end.
	Recent bool
	// RecentCalls is how many calls such a proof takes.
	RecentCalls int
	// Old says that it can be proven later too, with a transaction of each block.
	Old bool
	// OldCalls is how many calls that takes if no block was read before.
	OldCalls int
	// Sponsored says that whole blocks can be read, for a transaction whose first
	// signature is not known.
	Sponsored bool
	// Nonces says that the history of an account can be read, for durable nonces.
	Nonces bool
	// Missing says why, for each that is false, in the node's words.
	Missing []string
}

// String is a line a kind of proof.
func (a Ability) String() string {
	var b strings.Builder
	line := func(what string, can bool, calls int) {
		switch {
		case !can:
			fmt.Fprintf(&b, "%s: cannot be proven\n", what)
		case calls > 0:
			fmt.Fprintf(&b, "%s: can be proven, in about %d calls\n", what, calls)
		default:
			fmt.Fprintf(&b, "%s: can be proven\n", what)
		}
	}
	line("expired, just now", a.Recent, a.RecentCalls)
	line("expired, earlier", a.Old, a.OldCalls)
	line("expired, signed last by a sponsor", a.Sponsored, 0)
	line("used, a durable nonce", a.Nonces, 0)
	for _, missing := range a.Missing {
		fmt.Fprintf(&b, "  %s\n", missing)
	}
	return b.String()
}

// Windows that Prove asks for, in blocks.
const (
	wholeWindow = proof.Age + 32 // that of a transaction which was just proven to have expired
	oldBlocks   = 1000           // how far back an old one lies
	fewBlocks   = 4              // of an old one that are read
)

// Pauses before a question that failed is asked again: one address may have nodes of
// which one lags, and 33 seconds let one that lags by 80 slots catch up.
var provePauses = []time.Duration{2 * time.Second, 6 * time.Second, 15 * time.Second, 10 * time.Second}

// Prove finds out what the node can show: it asks for a signature that does not exist, as
// for a transaction that was not found. It takes some 20 calls, and up to 40 seconds
// for each kind of proof that fails. An error means that the node did not answer at all.
func (c *Client) Prove(ctx context.Context) (*Ability, error) {
	a := &Ability{}
	var head walletfi.Head
	can := func(what string, ask func() error) bool {
		err := c.persistently(ctx, ask)
		if err != nil {
			a.Missing = append(a.Missing, what+": "+err.Error())
		}
		return err == nil
	}
	var err error
	findHead := func() error {
		head, err = c.FinalHead(ctx)
		return err
	}
	if !can("a finalized block", findHead) {
		if _, answered := errors.AsType[*Error](err); !answered {
			return nil, err
		}
		return a, nil
	}
	ended := func() error {
		b, err := c.block(ctx, head.Slot, false) // as FinalHead has read it
		if err == nil {
			_, err = c.BlockhashAt(ctx, b.hash, head.Slot)
		}
		return err
	}
	if !can("the end of a blockhash", ended) {
		return a, nil
	}
	calls := uint64(0)
	absent := func(back, blocks uint64) func() error {
		return func() error {
			begun := c.wire.lastID.Load()
			err := c.absent(ctx, head, back, blocks)
			calls = c.wire.lastID.Load() - begun
			return err
		}
	}
	// Heads, the blockhash before and after, and the statuses a second time: 6 calls.
	a.Recent = can("just now", absent(wholeWindow, wholeWindow-1))
	a.RecentCalls = int(calls) + 6
	a.Old = can("earlier", absent(oldBlocks, fewBlocks))
	a.OldCalls = int(calls) + 6 + proof.Age - fewBlocks
	a.Sponsored = can("whole blocks", func() error {
		_, err := c.getBlock(ctx, head.Slot, "signatures", repeats, rpc.CommitmentFinalized)
		return err
	})
	a.Nonces = can("the history of an account", func() error {
		_, err := c.history(ctx, signing.SystemProgram, nil, 0, 1, "finalized")
		return err
	})
	return a, nil
}

// persistently asks again after each pause until the question is answered.
func (c *Client) persistently(ctx context.Context, ask func() error) error {
	err := ask()
	for i := 0; err != nil && i < len(provePauses) && c.pause(ctx, provePauses[i]) == nil; i++ {
		err = ask()
	}
	return err
}

// absent asks for a signature that does not exist in a window of some blocks, which begins
// some blocks before head.
func (c *Client) absent(ctx context.Context, head walletfi.Head, back, blocks uint64) error {
	back = min(back, head.Height/2, head.Slot/2)
	low := walletfi.Head{Slot: head.Slot - 2*back, Height: head.Height - 2*back} // or higher, if slots have no block
	after, err := c.atHeight(ctx, low, head, head.Height-back)
	if err != nil {
		return err
	}
	var nobody signing.Signature
	copy(nobody[:], "a signature that nobody has made: it asks what this node can show")
	q := walletfi.AbsenceQuery{
		Signatures: []string{base58.Encode(nobody[:])}, After: after.Head,
		Last: min(after.Height+blocks, head.Height-1), Until: head,
	}
	answer, err := c.Absence(ctx, q)
	if err != nil {
		return err
	}
	return proof.Covered(q, answer)
}
