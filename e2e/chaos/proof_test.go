package chaos

import (
	"context"
	"encoding/binary"
	"fmt"

	"github.com/gagliardetto/solana-go"
	"github.com/walletfi/walletfi-go"
)

// What a view's nodes show of the ledger: the truth of the slot that each answer is of, or
// an error. Heads, blocks and statuses may be different nodes'.

var _ walletfi.Prover = view{}

const finality = 32 // slots

// block is that of a slot: each has one.
func (s *ledger) block(slot uint64) walletfi.Head {
	return walletfi.Head{Slot: slot, Height: slot - skipped}
}

// final is the newest slot that is final for some node, false if it does not answer. The
// lock is held.
func (v view) final() (slot uint64, ok bool) {
	return v.seen() - finality, !v.strikes(.05)
}

func notYet(slot uint64) error { return fmt.Errorf("%w: slot %d", walletfi.ErrUnavailable, slot) }

func (v view) Identity() string { return "the ledger" }

func (v view) Genesis(context.Context) (string, error) {
	if v.struck("", .05) {
		return "", walletfi.ErrUnavailable
	}
	return "the ledger", nil
}

func (v view) FinalHead(context.Context) (walletfi.Head, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	slot, ok := v.final()
	if !ok {
		return walletfi.Head{}, walletfi.ErrUnavailable
	}
	return v.block(slot), nil
}

func (v view) FinalBlock(_ context.Context, slot uint64) (walletfi.Head, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if at, ok := v.final(); !ok || at < slot {
		return walletfi.Head{}, notYet(slot)
	}
	return v.block(slot), nil
}

func (v view) BlockhashAge(context.Context) (uint64, error) {
	if v.struck("", .2) {
		return 0, walletfi.ErrUnavailable
	}
	return 151, nil
}

// madeIn is the slot of a blockhash.
func madeIn(blockhash string) uint64 {
	hash := solana.MustHashFromBase58(blockhash)
	if hash[31] != 1 {
		panic("that is no blockhash: " + blockhash)
	}
	return binary.LittleEndian.Uint64(hash[:])
}

func (v view) BlockhashAt(_ context.Context, blockhash string, minSlot uint64) (walletfi.BlockhashState, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	at, ok := v.final()
	if !ok || at < minSlot {
		return walletfi.BlockhashState{}, notYet(minSlot)
	}
	made := madeIn(blockhash)
	return walletfi.BlockhashState{Valid: made <= at && at <= made+150, AsOfSlot: at}, nil
}

func (v view) BlockOf(_ context.Context, blockhash string, near walletfi.Head) (walletfi.Head, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	made := madeIn(blockhash)
	at, ok := v.final()
	switch {
	case !ok:
		return walletfi.Head{}, walletfi.ErrUnavailable
	case made > at || made+160 < near.Slot || made > near.Slot+400:
		return walletfi.Head{}, walletfi.ErrNotFound
	}
	return v.block(made), nil
}

// window lists the blocks of a query's window with those at its ends, as a node at a
// slot reads them. The lock is held.
func (v view) window(q walletfi.AbsenceQuery, newest uint64) ([]walletfi.Head, error) {
	first := q.After
	if q.Blockhash != "" {
		first = v.block(max(first.Slot, madeIn(q.Blockhash)))
	}
	until := v.block(q.Until.Slot)
	within := first.Height < q.Last && q.Last < q.Until.Height && q.Until.Height <= until.Height
	if first != v.block(first.Slot) || !within {
		panic(fmt.Sprintf("there is no such window: %+v", q))
	}
	at, ok := v.final()
	if !ok || at < until.Slot {
		return nil, notYet(until.Slot)
	}
	if newest <= first.Slot+300 {
		return []walletfi.Head{first, until}, nil
	}
	var blocks []walletfi.Head
	for slot := first.Slot; v.block(slot).Height <= q.Last; slot++ {
		blocks = append(blocks, v.block(slot))
	}
	return append(blocks, until), nil
}

// Absence is one node's answer. Its store may have a gap.
func (v view) Absence(_ context.Context, q walletfi.AbsenceQuery) (*walletfi.Absence, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	a := &walletfi.Absence{AsOfSlot: v.statuses().seen()}
	blocks, err := v.window(q, a.AsOfSlot)
	if err != nil {
		return nil, err
	}
	switch n := len(q.Signatures); {
	case n == 0 || n > 48:
		panic(fmt.Sprintf("%d signatures at once", n))
	case n+len(blocks) > 256:
		return nil, fmt.Errorf("%w: a window of %d blocks", walletfi.ErrUnavailable, len(blocks))
	}
	lost, until := uint64(0), uint64(0)
	if v.strikes(.1) {
		lost = blocks[0].Slot - 5 + v.rng.Uint64N(q.Until.Slot-blocks[0].Slot+10)
		until = lost + v.rng.Uint64N(40)
	}
	knows := func(slot uint64, failed bool) (s walletfi.SignatureStatus) {
		if slot > a.AsOfSlot || lost <= slot && slot < until {
			return s
		}
		return v.told(execution{slot: slot, failed: failed}, a.AsOfSlot)
	}
	for _, signature := range q.Signatures {
		status := walletfi.SignatureStatus{}
		if e, ok := v.landed[signature]; ok {
			status = knows(e.slot, e.failed)
		}
		a.Statuses = append(a.Statuses, status)
	}
	for _, b := range blocks {
		a.Witnesses = append(a.Witnesses, walletfi.Witness{
			Head: b, Blockhash: v.blockhash(b.Slot).String(), Signature: fmt.Sprint("of ", b.Slot),
			Status: knows(b.Slot, false),
		})
	}
	switch {
	case v.strikes(.05):
		return nil, walletfi.ErrDecode
	case v.strikes(.03):
		a.Statuses = a.Statuses[1:]
	case v.strikes(.03):
		a.AsOfSlot = 0
	case v.strikes(.03):
		a.Witnesses = a.Witnesses[:len(a.Witnesses)-1]
	case v.strikes(.03):
		a.Witnesses = a.Witnesses[1:]
	}
	return a, nil
}

func (v view) MessageAbsence(_ context.Context, q walletfi.AbsenceQuery, _ string, message []byte) (walletfi.FoundMessage, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	blocks, err := v.window(q, 0)
	if err != nil || v.strikes(.1) {
		return walletfi.FoundMessage{}, walletfi.ErrUnavailable
	}
	for signature, e := range v.landed {
		if e.message == string(message) && e.slot > blocks[0].Slot && e.slot <= q.Until.Slot {
			return walletfi.FoundMessage{Signature: signature}, nil
		}
	}
	return walletfi.FoundMessage{}, nil
}

func (v view) NonceAt(_ context.Context, _ string, minSlot uint64) (walletfi.NonceState, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	at, ok := v.final()
	if !ok || at < minSlot {
		return walletfi.NonceState{}, walletfi.ErrDecode
	}
	return walletfi.NonceState{Value: v.nonceAt(at).String(), AsOfSlot: at}, nil
}

func (v view) NonceUse(_ context.Context, _, value string, since, until uint64) (walletfi.NonceUse, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	at, ok := v.final()
	if !ok || at < until {
		return walletfi.NonceUse{}, walletfi.ErrUnavailable
	}
	for signature, e := range v.landed {
		if e.hash == value && e.slot > since && e.slot <= until {
			return walletfi.NonceUse{Signature: signature}, nil
		}
	}
	return walletfi.NonceUse{}, nil
}
