// Package evidencetest has a node that shows the truth of a ledger that a test makes up.
package evidencetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// Node is a node that shows the truth of a ledger in which each slot has a block, with
// one transaction, named after the block. What no ledger can answer fails the test.
type Node struct {
	T    testing.TB
	Name string
	Tip  func() walletfi.Head // the newest block
	Lag  uint64               // slots by which the node is behind
	More uint64               // blocks that a blockhash lives longer than it should
	// Status is the ledger's status of a signature, Block the block of a blockhash.
	Status func(signature string) (walletfi.SignatureStatus, error)
	Block  func(blockhash string) walletfi.Head
	Nonce  func(account string, slot uint64) string // value of a durable nonce
	Used   func(account, value string) string       // signature of what used a value
	// Advanced is a block in which a transaction on another value advanced a nonce, nil if none did.
	Advanced func() walletfi.Head
	Named    func(payer string, message []byte) string
	First    func() string // the ledger's first block; nil is "genesis"
	Hollow   bool          // its archive has lost the transactions of a block
	// Hear is asked before each answer. Its error is the answer then.
	Hear func(ctx context.Context, question string) error

	mu    sync.Mutex
	asked []string
}

var _ walletfi.Prover = (*Node)(nil)

// Finality is how many slots the finalized block is behind the newest one.
const Finality = 32

// Made is the block of a slot, whose height is 1000 less.
func Made(slot uint64) walletfi.Head { return walletfi.Head{Slot: slot, Height: slot - 1000} }

// Asked lists what the node was asked since it was called last.
func (h *Node) Asked() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	asked := h.asked
	h.asked = nil
	return asked
}

func (h *Node) hear(ctx context.Context, question string) error {
	h.mu.Lock()
	h.asked = append(h.asked, question)
	h.mu.Unlock()
	if h.Hear == nil {
		return nil
	}
	return h.Hear(ctx, question)
}

// at is the block of a slot, if the node is as far, at a commitment.
func (h *Node) at(slot uint64) walletfi.Head {
	tip := h.Tip()
	return walletfi.Head{Slot: slot, Height: tip.Height - (tip.Slot - slot)}
}

// Newest is the newest block that the node has.
func (h *Node) Newest() walletfi.Head { return h.at(h.Tip().Slot - h.Lag) }
func (h *Node) final() walletfi.Head  { return h.at(h.Newest().Slot - Finality) }

// Identity implements walletfi.Prover.
func (h *Node) Identity() string { return h.Name }

// Genesis implements walletfi.Prover.
func (h *Node) Genesis(ctx context.Context) (string, error) {
	first := "genesis"
	if h.First != nil {
		first = h.First()
	}
	return first, h.hear(ctx, "genesis")
}

// FinalHead implements walletfi.Prover.
func (h *Node) FinalHead(ctx context.Context) (walletfi.Head, error) {
	return h.final(), h.hear(ctx, "head")
}

// FinalBlock implements walletfi.Prover.
func (h *Node) FinalBlock(ctx context.Context, slot uint64) (walletfi.Head, error) {
	if err := h.hear(ctx, "final block"); err != nil {
		return walletfi.Head{}, err
	}
	if slot > h.final().Slot {
		return walletfi.Head{}, fmt.Errorf("%w: slot %d is not final", walletfi.ErrUnavailable, slot)
	}
	return h.at(slot), nil
}

func (h *Node) valid(blockhash string, at walletfi.Head) bool {
	block := h.Block(blockhash)
	return block.Slot <= at.Slot && at.Height <= block.Height+150+h.More
}

// BlockhashValid implements walletfi.BlockhashReader.
func (h *Node) BlockhashValid(ctx context.Context, blockhash string) (walletfi.BlockhashState, error) {
	at := h.at(h.Newest().Slot - 1) // confirmed
	return walletfi.BlockhashState{Valid: h.valid(blockhash, at), AsOfSlot: at.Slot}, h.hear(ctx, "valid")
}

// BlockhashAt implements walletfi.Prover.
func (h *Node) BlockhashAt(ctx context.Context, blockhash string, minSlot uint64) (walletfi.BlockhashState, error) {
	if err := h.hear(ctx, "ended"); err != nil {
		return walletfi.BlockhashState{}, err
	}
	if final := h.final(); minSlot <= final.Slot {
		return walletfi.BlockhashState{Valid: h.valid(blockhash, final), AsOfSlot: final.Slot}, nil
	}
	return walletfi.BlockhashState{}, fmt.Errorf("%w: slot %d is not final", walletfi.ErrUnavailable, minSlot)
}

// BlockhashAge implements walletfi.Prover.
func (h *Node) BlockhashAge(ctx context.Context) (uint64, error) {
	return 151, h.hear(ctx, "age")
}

// BlockOf implements walletfi.Prover.
func (h *Node) BlockOf(ctx context.Context, blockhash string, near walletfi.Head) (walletfi.Head, error) {
	if err := h.hear(ctx, "block"); err != nil {
		return walletfi.Head{}, err
	}
	block := h.Block(blockhash)
	if block.Slot > h.final().Slot || block.Height+160 < near.Height || block.Height > near.Height+400 {
		return walletfi.Head{}, walletfi.ErrNotFound
	}
	return block, nil
}

// window lists the blocks of a query's window with those at its ends. It checks that
// they are the ledger's, and that the node has them.
func (h *Node) window(q walletfi.AbsenceQuery) ([]walletfi.Head, error) {
	first := q.After
	if q.Blockhash != "" {
		first = h.at(max(first.Slot, h.Block(q.Blockhash).Slot))
	}
	require.True(h.T, q.After.Slot == 0 || q.After == h.at(q.After.Slot), "the window's beginning")
	until := h.at(q.Until.Slot)
	require.GreaterOrEqual(h.T, until.Height, q.Until.Height, "the window's end")
	require.Less(h.T, first.Height, q.Last)
	require.Less(h.T, q.Last, q.Until.Height)
	if q.Until.Slot > h.final().Slot {
		return nil, fmt.Errorf("%w: slot %d is not final", walletfi.ErrUnavailable, q.Until.Slot)
	}
	if h.Newest().Slot-first.Slot <= 300 {
		return []walletfi.Head{first, until}, nil
	}
	var blocks []walletfi.Head
	for slot := first.Slot; h.at(slot).Height <= q.Last; slot++ {
		blocks = append(blocks, h.at(slot))
	}
	return append(blocks, until), nil
}

// Absence implements walletfi.Prover.
func (h *Node) Absence(ctx context.Context, q walletfi.AbsenceQuery) (*walletfi.Absence, error) {
	if err := h.hear(ctx, fmt.Sprintf("absence of %d", len(q.Signatures))); err != nil {
		return nil, err
	}
	require.NotEmpty(h.T, q.Signatures)
	once := slices.Compact(slices.Sorted(slices.Values(q.Signatures)))
	require.Len(h.T, once, len(q.Signatures), "each once")
	blocks, err := h.window(q)
	if err != nil {
		return nil, err
	}
	if len(q.Signatures) > 48 || len(q.Signatures)+len(blocks) > 256 {
		return nil, errors.New("too many at once")
	}
	a := &walletfi.Absence{AsOfSlot: h.Newest().Slot}
	for _, s := range q.Signatures {
		status, err := h.Status(s)
		if err != nil {
			return nil, err
		}
		a.Statuses = append(a.Statuses, status)
	}
	for _, b := range blocks {
		w := walletfi.Witness{Head: b, Signature: fmt.Sprint("of ", b.Slot)}
		w.Status = walletfi.SignatureStatus{Found: true, Slot: b.Slot, Commitment: walletfi.CommitmentFinalized}
		if q.Blockhash != "" && b.Slot == h.Block(q.Blockhash).Slot {
			w.Blockhash = q.Blockhash
		}
		a.Witnesses = append(a.Witnesses, w)
	}
	if h.Hollow && len(a.Witnesses) > 2 {
		a.Witnesses[1].Signature, a.Witnesses[1].Status = "", walletfi.SignatureStatus{}
	}
	return a, nil
}

// MessageAbsence implements walletfi.Prover.
func (h *Node) MessageAbsence(
	ctx context.Context, q walletfi.AbsenceQuery, payer string, message []byte,
) (walletfi.FoundMessage, error) {
	if err := h.hear(ctx, "message"); err != nil {
		return walletfi.FoundMessage{}, err
	}
	if _, err := h.window(q); err != nil || h.Named == nil {
		return walletfi.FoundMessage{}, err
	}
	return walletfi.FoundMessage{Signature: h.Named(payer, message)}, nil
}

// NonceAt implements walletfi.Prover.
func (h *Node) NonceAt(ctx context.Context, account string, minSlot uint64) (walletfi.NonceState, error) {
	err := h.hear(ctx, "nonce")
	if h.final().Slot < minSlot {
		err = walletfi.ErrUnavailable
	}
	return walletfi.NonceState{Value: h.Nonce(account, h.final().Slot), AsOfSlot: h.final().Slot}, err
}

// NonceUse implements walletfi.Prover.
func (h *Node) NonceUse(ctx context.Context, account, value string, since, until uint64) (walletfi.NonceUse, error) {
	err := h.hear(ctx, "use")
	if until > h.final().Slot {
		err = walletfi.ErrUnavailable
	}
	user, changed := h.Used(account, value), walletfi.Head{}
	if user == "" && h.Advanced != nil && h.Advanced().Slot > since && h.Advanced().Slot <= until {
		changed = h.Advanced()
	}
	return walletfi.NonceUse{Signature: user, Changed: changed}, err
}
