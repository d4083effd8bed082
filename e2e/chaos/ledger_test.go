package chaos

import (
	"bytes"
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

// ledger is a ledger behind doors and nodes that lose, delay, repeat, lag, garble
// and answer for another slot. What a node says of a status is true of the slot
// that it answers for.
type ledger struct {
	mu     sync.Mutex
	rng    *rand.Rand
	begun  time.Time
	calm   bool
	faults int
	built  uint64
	landed map[string]execution // by signature
	late   map[string]bool      // transactions of which only the first send counts, and arrives late

	nonce  []nonceValue // each with the slot from which on it holds
	patron *signing.LocalKey
	asleep map[string]bool // owner's signatures of what the patron never signs
}

type nonceValue struct {
	slot  uint64
	value solana.Hash
}

// execution is a transaction on the ledger.
type execution struct {
	slot    uint64
	failed  bool
	message string
	hash    string // its blockhash, base58
}

const (
	seaSlot   = 400 * time.Millisecond
	firstSlot = 50_000
	skipped   = 20_000 // slots without a block
)

func newLedger(seed uint64) *ledger {
	patron, err := signing.NewLocalKeyFromSeed(bytes.Repeat([]byte{9}, 32))
	if err != nil {
		panic(err)
	}
	s := &ledger{
		rng: rand.New(rand.NewPCG(seed, 7)), begun: time.Now(), landed: map[string]execution{}, late: map[string]bool{},
		patron: patron, asleep: map[string]bool{},
	}
	s.advance(0)
	return s
}

// advance gives the durable nonce its next value. The lock is held.
func (s *ledger) advance(slot uint64) {
	var h solana.Hash
	binary.LittleEndian.PutUint64(h[:], uint64(len(s.nonce)+1))
	h[31] = 2
	s.nonce = append(s.nonce, nonceValue{slot, h})
}

// nonceAt is the value of the durable nonce at a slot.
func (s *ledger) nonceAt(slot uint64) (value solana.Hash) {
	for _, v := range s.nonce {
		if v.slot <= slot {
			value = v.value
		}
	}
	return value
}

// countersigned adds the patron's signature if it is wanted.
func (s *ledger) countersigned(tx walletfi.Signed) walletfi.Signed {
	if tx.Signature != "" {
		return tx
	}
	sent, err := signing.Decode(tx.Transaction)
	if err != nil {
		panic(err)
	}
	if err := signing.SignUnchecked(context.Background(), sent, s.patron); err != nil {
		panic(err)
	}
	return sent.Signed()
}

func (s *ledger) slot() uint64 { return firstSlot + uint64(time.Since(s.begun)/seaSlot) }

// blockhash is that of a slot, which it tells.
func (s *ledger) blockhash(slot uint64) (h solana.Hash) {
	binary.LittleEndian.PutUint64(h[:], slot)
	h[31] = 1
	return h
}

// strikes reports, with a chance, a fault that it counts. The lock is held.
func (s *ledger) strikes(chance float64) bool {
	if s.calm || s.rng.Float64() >= chance {
		return false
	}
	s.faults++
	return true
}

// struck is strikes for those who do not hold the lock.
func (s *ledger) struck(_ string, chance float64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.strikes(chance)
}

// land executes a transaction whose blockhash is good, once.
func (s *ledger) land(tx walletfi.Signed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sent, err := signing.Decode(tx.Transaction)
	if err != nil {
		return
	}
	if _, done := s.landed[tx.Signature]; done || tx.Signature == "" {
		return
	}
	hash, now := sent.Blockhash(), s.slot()
	switch hash[31] {
	case 1:
		if now > binary.LittleEndian.Uint64(hash[:])+150 {
			return
		}
	case 2:
		if solana.Hash(hash) != s.nonce[len(s.nonce)-1].value {
			return
		}
		s.advance(now)
	}
	s.landed[tx.Signature] = execution{now, s.rng.IntN(20) == 0, string(sent.Message()), hash.String()}
}

var errGarbled = &walletfi.OutcomeUnknownError{Cause: errors.New("the answer is garbled")}

// Submit implements walletfi.Submitter.
func (s *ledger) Submit(ctx context.Context, tx walletfi.Signed) (string, error) {
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
	if tx.Signature == "" {
		signed := s.countersigned(tx)
		if asleep, known := s.asleep[signed.Signature]; asleep || !known && s.strikes(.3) {
			s.asleep[signed.Signature] = true
			s.mu.Unlock()
			return "", errGarbled
		}
		s.asleep[signed.Signature] = false
		tx = signed
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
func (s *ledger) SubmitBundle(ctx context.Context, txs []walletfi.Signed) (string, error) {
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

// view is a ledger as a process's nodes show it: they lag by as much all the time,
// and more at times. Statuses may be another node's than the rest.
type view struct {
	*ledger
	lag, statusLag uint64
}

// statuses is the view of the node that returns statuses.
func (v view) statuses() view { return view{ledger: v.ledger, lag: v.statusLag} }

// seen is a slot that some node has reached. The lock is held.
func (v view) seen() uint64 {
	lag := v.lag
	if v.strikes(.2) {
		lag = max(lag, uint64(v.rng.IntN(mostLag)))
	}
	return v.slot() - lag
}

const mostLag = 150 // slots

// SignatureStatus implements walletfi.Confirmer.
func (v view) SignatureStatus(ctx context.Context, signature string) (walletfi.SignatureStatus, error) {
	got, err := v.SignatureStatuses(ctx, []string{signature})
	if err != nil {
		return walletfi.SignatureStatus{}, err
	}
	return got.Statuses[0], nil
}

// SignatureStatuses implements walletfi.BatchConfirmer.
func (v view) SignatureStatuses(_ context.Context, signatures []string) (walletfi.SignatureStatuses, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.strikes(.1) {
		return walletfi.SignatureStatuses{}, walletfi.ErrDecode
	}
	if v.strikes(.03) {
		return walletfi.SignatureStatuses{AsOfSlot: v.slot()}, nil // as many statuses as it likes
	}
	if v.strikes(.03) {
		return walletfi.SignatureStatuses{Statuses: make([]walletfi.SignatureStatus, len(signatures))}, nil // of no slot
	}
	at := v.statuses().seen()
	statuses := make([]walletfi.SignatureStatus, len(signatures))
	for i, signature := range signatures {
		e, ok := v.landed[signature]
		if !ok || e.slot > at {
			continue
		}
		if statuses[i] = v.told(e, at); v.strikes(.03) {
			statuses[i] = walletfi.SignatureStatus{Found: true} // which says nothing
		}
	}
	return walletfi.SignatureStatuses{Statuses: statuses, AsOfSlot: at}, nil
}

// told is the status of an execution by a node at a slot.
func (v view) told(e execution, at uint64) walletfi.SignatureStatus {
	s := walletfi.SignatureStatus{Found: true, Slot: e.slot, Commitment: walletfi.CommitmentProcessed}
	switch {
	case at >= e.slot+finality:
		s.Commitment = walletfi.CommitmentFinalized
	case at > e.slot+1:
		s.Commitment = walletfi.CommitmentConfirmed
	}
	if e.failed {
		s.Err = "Custom"
	}
	return s
}

// Head implements walletfi.HeadReader.
func (v view) Head(context.Context) (head walletfi.Head, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.strikes(.05) {
		return walletfi.Head{}, walletfi.ErrUnavailable
	}
	head.Slot = v.seen() - 1
	if v.strikes(.05) {
		return walletfi.Head{Slot: head.Slot, Height: head.Slot}, nil
	}
	return walletfi.Head{Slot: head.Slot, Height: head.Slot - skipped}, nil
}

// BlockHeight implements walletfi.BlockHeighter.
func (v view) BlockHeight(ctx context.Context) (uint64, error) {
	head, err := v.Head(ctx)
	return head.Height, err
}

// FindMessage implements walletfi.MessageFinder.
func (v view) FindMessage(_ context.Context, search walletfi.MessageSearch) (walletfi.FoundMessage, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	at := v.seen()
	if at < search.AsOf || v.strikes(.05) {
		return walletfi.FoundMessage{}, walletfi.ErrUnavailable
	}
	for signature, e := range v.landed {
		if e.message == string(search.Message) && e.slot >= search.Since && e.slot <= at {
			return walletfi.FoundMessage{Signature: signature}, nil
		}
	}
	return walletfi.FoundMessage{}, nil
}

// sighted is a view of nodes that tell whether a blockhash is good.
type sighted struct{ view }

// BlockhashValid implements walletfi.BlockhashReader.
func (s sighted) BlockhashValid(_ context.Context, blockhash string) (walletfi.BlockhashState, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hash, err := solana.HashFromBase58(blockhash)
	if err != nil || s.strikes(.05) {
		return walletfi.BlockhashState{}, walletfi.ErrDecode
	}
	at, made := s.seen(), binary.LittleEndian.Uint64(hash[:])
	return walletfi.BlockhashState{Valid: made <= at && at <= made+150, AsOfSlot: at}, nil
}
