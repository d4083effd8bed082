package e2e

import (
	"context"
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// sea is a ledger behind doors and nodes that lose, delay, repeat, lag, garble
// and answer for another slot. What a node says of a status is true of the slot
// that it answers for.
type sea struct {
	mu     sync.Mutex
	rng    *rand.Rand
	begun  time.Time
	calm   bool
	faults int
	built  uint64
	landed map[string]execution // by signature
	late   map[string]bool      // transactions of which only the first send counts, and arrives late
}

// execution is a transaction on the ledger.
type execution struct {
	slot   uint64
	failed bool
}

const (
	seaSlot   = 400 * time.Millisecond
	firstSlot = 50_000
	skipped   = 20_000 // slots without a block
)

func newSea(seed uint64) *sea {
	return &sea{rng: rand.New(rand.NewPCG(seed, 7)), begun: time.Now(), landed: map[string]execution{}, late: map[string]bool{}}
}

func (s *sea) slot() uint64 { return firstSlot + uint64(time.Since(s.begun)/seaSlot) }

// blockhash is that of a slot, which it tells.
func (s *sea) blockhash(slot uint64) (h solana.Hash) {
	binary.LittleEndian.PutUint64(h[:], slot)
	h[31] = 1
	return h
}

// strikes reports, with a chance, a fault that it counts. The lock is held.
func (s *sea) strikes(chance float64) bool {
	if s.calm || s.rng.Float64() >= chance {
		return false
	}
	s.faults++
	return true
}

// land executes a transaction whose blockhash is good, once.
func (s *sea) land(tx walletfi.Signed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sent, err := signing.Decode(tx.Transaction)
	if err != nil {
		return
	}
	hash := sent.Blockhash()
	made, now := binary.LittleEndian.Uint64(hash[:]), s.slot()
	if _, done := s.landed[tx.Signature]; done || now > made+150 {
		return
	}
	s.landed[tx.Signature] = execution{now, s.rng.IntN(20) == 0}
}

var errGarbled = &walletfi.OutcomeUnknownError{Cause: errors.New("the answer is garbled")}

// Submit implements walletfi.Submitter.
func (s *sea) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
	s.mu.Lock()
	switch {
	case s.strikes(.05):
		s.mu.Unlock()
		return "", walletfi.ErrNotSent
	case s.strikes(.1): // lost on the way
		s.mu.Unlock()
		return "", errGarbled
	case s.strikes(.1): // taken, and not passed on
		s.mu.Unlock()
		return tx.Signature, nil
	}
	if s.late[tx.Signature] {
		s.mu.Unlock()
		return tx.Signature, nil
	}
	delay := time.Duration(s.rng.Int64N(int64(2 * seaSlot)))
	if s.strikes(.3) {
		s.late[tx.Signature] = true
		delay = 40*time.Second + time.Duration(s.rng.Int64N(int64(20*time.Second)))
	}
	if s.strikes(.15) {
		delay = time.Duration(s.rng.Int64N(int64(80 * time.Second)))
	}
	time.AfterFunc(delay, func() { s.land(tx) })
	if s.strikes(.1) { // repeated by a gateway
		time.AfterFunc(2*delay, func() { s.land(tx) })
	}
	hangs, panics, refuses, lost := s.strikes(.05), s.strikes(.03), s.strikes(.1), s.strikes(.1)
	s.mu.Unlock()
	switch {
	case hangs:
		<-ctx.Done()
		return "", ctx.Err()
	case panics:
		panic("after it was sent")
	case refuses:
		return "", &walletfi.ResponseError{StatusCode: 400, Kind: walletfi.ErrInvalidRequest, Message: "already been processed"}
	case lost:
		return "", errGarbled
	}
	return tx.Signature, nil
}

// SubmitBundle implements walletfi.BundleSubmitter.
func (s *sea) SubmitBundle(ctx context.Context, txs []walletfi.Signed) (string, error) {
	var worst error
	for i, tx := range txs {
		if _, err := s.Submit(ctx, tx); err != nil && (worst == nil || i > 0) {
			worst = errGarbled
			if i == 0 && errors.Is(err, walletfi.ErrNotSent) {
				return "", err
			}
		}
	}
	return "", worst
}

// seen is a slot that some node has reached.
func (s *sea) seen() uint64 {
	lag := uint64(0)
	if s.strikes(.2) {
		lag = uint64(s.rng.IntN(200))
	}
	return s.slot() - lag
}

// SignatureStatus implements walletfi.Confirmer.
func (s *sea) SignatureStatus(ctx context.Context, signature string) (walletfi.SignatureStatus, error) {
	all, _, err := s.SignatureStatuses(ctx, []string{signature})
	if err != nil {
		return walletfi.SignatureStatus{}, err
	}
	return all[0], nil
}

// SignatureStatuses implements walletfi.BatchConfirmer.
func (s *sea) SignatureStatuses(_ context.Context, signatures []string) ([]walletfi.SignatureStatus, uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.strikes(.1) {
		return nil, 0, walletfi.ErrDecode
	}
	if s.strikes(.03) {
		return nil, s.slot(), nil // as many statuses as it likes
	}
	at := s.seen()
	statuses := make([]walletfi.SignatureStatus, len(signatures))
	for i, signature := range signatures {
		e, ok := s.landed[signature]
		if !ok || e.slot > at {
			continue
		}
		statuses[i] = walletfi.SignatureStatus{Found: true, Slot: e.slot, Commitment: walletfi.CommitmentProcessed}
		if at > e.slot+1 {
			statuses[i].Commitment = walletfi.CommitmentConfirmed
		}
		if e.failed {
			statuses[i].Err = "Custom"
		}
	}
	return statuses, at, nil
}

// Head implements walletfi.HeadReader.
func (s *sea) Head(context.Context) (slot, height uint64, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.strikes(.05) {
		return 0, 0, walletfi.ErrUnavailable
	}
	slot = s.seen() - 1
	if s.strikes(.05) {
		return slot, slot, nil
	}
	return slot, slot - skipped, nil
}

// BlockHeight implements walletfi.BlockHeighter.
func (s *sea) BlockHeight(ctx context.Context) (uint64, error) {
	_, height, err := s.Head(ctx)
	return height, err
}

// blind is a sea whose nodes do not tell whether a blockhash is good.
type blind struct{ *sea }

// sighted is one whose nodes do.
type sighted struct{ *sea }

// BlockhashValid implements walletfi.BlockhashReader.
func (s sighted) BlockhashValid(_ context.Context, blockhash string) (bool, uint64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hash, err := solana.HashFromBase58(blockhash)
	if err != nil || s.strikes(.05) {
		return false, 0, walletfi.ErrDecode
	}
	at, made := s.seen(), binary.LittleEndian.Uint64(hash[:])
	return made <= at && at <= made+150, at, nil
}
