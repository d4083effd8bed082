package linear

import (
	"encoding/binary"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

const (
	slotTime  = 400 * time.Millisecond
	firstSlot = 300_000
	// A bank still executes a transaction whose blockhash is so many blocks old. The
	// last valid height that a node tells is one less.
	landingAge = 151
	finality   = 32
)

// ledger executes transactions, each once, as long as their blockhash is good. Each
// execution is an operation of the key's history, at the moment it happens.
type ledger struct {
	begun   time.Time
	history *history

	mu     sync.Mutex
	rng    *rand.Rand
	calm   bool // nothing goes wrong any more
	pieces map[string]piece
	fates  map[string]fate
	landed map[string]landing
	forked map[string]landing // executed on a fork that is left
}

// landing is a transaction that was executed.
type landing struct {
	slot   uint64
	failed bool
}

// fate is the end of a transaction that is sent.
type fate struct {
	swallowed bool // no send of it lands
	late      bool // one send of it lands, as late as it can
	failed    bool // it is executed with an error
	forked    bool // a fork executes it at once
	scheduled bool
}

func newLedger(h *history, rng *rand.Rand) *ledger {
	return &ledger{
		begun: time.Now(), history: h, rng: rng, pieces: map[string]piece{}, fates: map[string]fate{},
		landed: map[string]landing{}, forked: map[string]landing{},
	}
}

func (l *ledger) slot() uint64 { return firstSlot + uint64(time.Since(l.begun)/slotTime) }

// height is that of a slot. Every sixteenth slot has no block.
func height(slot uint64) uint64 { return slot - slot/16 }

// blockhash tells the slot of its block.
func blockhash(slot uint64) (h signing.PublicKey) {
	binary.LittleEndian.PutUint64(h[:], slot)
	h[31] = 1
	return h
}

func slotOf(hash signing.PublicKey) uint64 { return binary.LittleEndian.Uint64(hash[:]) }

// build makes a further build for a payment, of which the service tells the last
// valid height, or does not.
func (l *ledger) build(p *payment) (build int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(p.builds) == maxBuilds {
		return maxBuilds - 1
	}
	slot := block(l.slot() - l.rng.Uint64N(20)).Slot
	last := height(slot) + landingAge - 1
	if l.rng.IntN(4) == 0 {
		last = 0
	}
	build = len(p.builds)
	_, signatures := p.build(blockhash(slot), last)
	for i, s := range signatures {
		l.pieces[s] = piece{p.key, build, i}
	}
	return build
}

// chance is true so often out of a hundred, until the ledger is calm.
func (l *ledger) chance(percent int) bool { return !l.calm && l.rng.IntN(100) < percent }

func (l *ledger) isCalm() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.calm
}

// send takes a transaction's bytes and lets them land some time, or not.
func (l *ledger) send(tx walletfi.Signed) {
	sent, err := signing.Decode(tx.Transaction)
	if err != nil {
		panic(err)
	}
	s := sent.Signature().String()
	l.mu.Lock()
	defer l.mu.Unlock()
	f, known := l.fates[s]
	if !known {
		f = fate{swallowed: l.chance(25), late: l.chance(25), failed: l.chance(12), forked: l.chance(15)}
		if f.forked {
			l.forked[s] = landing{l.slot(), l.chance(30)}
		}
	}
	once := f.scheduled
	f.scheduled = true
	l.fates[s] = f
	delay := time.Duration(l.rng.Int64N(int64(3 * slotTime)))
	switch {
	case f.late && !once:
		// As many slots as are left, less a few of them.
		left := (landingAge+height(slotOf(sent.Blockhash())))*16/15 - l.slot() - l.rng.Uint64N(12)
		delay = slotTime * time.Duration(int64(left))
	case f.swallowed || f.late:
		return
	}
	time.AfterFunc(delay, func() { l.land(s, sent, f.failed) })
}

// land executes a transaction, if it can be executed still.
func (l *ledger) land(signature string, sent *signing.Transaction, failed bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.slot()
	_, twice := l.landed[signature]
	if twice || height(now) > height(slotOf(sent.Blockhash()))+landingAge {
		return
	}
	p, known := l.pieces[signature]
	if !known || !sent.Signature().Verify(sent.FeePayer(), sent.Message()) {
		panic("a transaction that nobody built")
	}
	l.landed[signature] = landing{now, failed}
	l.history.count("landed")
	at := l.history.now()
	l.history.add(p.key, porcupine.Operation{
		ClientId: ledgerClient, Call: at, Return: at, Output: &payOutput{},
		Input: &payInput{call: callLand, build: p.build, index: p.index, failed: failed},
	})
}

// truth is the state of a transaction, and its possible ones. No node states it.
func (l *ledger) truth(tx *signing.Transaction) wallet.State {
	l.mu.Lock()
	defer l.mu.Unlock()
	at, done := l.landed[tx.Signature().String()]
	switch {
	case done && at.failed:
		return wallet.StateFailed
	case done:
		return wallet.StateConfirmed
	case height(l.slot()) > height(slotOf(tx.Blockhash()))+landingAge:
		return wallet.StateExpired
	}
	return wallet.StateUnknown
}

// status is the answer about a signature by a node that has seen the ledger up to a slot.
func (l *ledger) status(signature string, view uint64) walletfi.SignatureStatus {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at, ok := l.landed[signature]; ok && at.slot <= view {
		return at.status(depth(view - at.slot))
	}
	if at, ok := l.forked[signature]; ok && at.slot <= view && view < at.slot+6 {
		return at.status(walletfi.CommitmentProcessed)
	}
	return walletfi.SignatureStatus{}
}

func depth(slots uint64) walletfi.Commitment {
	switch {
	case slots >= finality:
		return walletfi.CommitmentFinalized
	case slots >= 1:
		return walletfi.CommitmentConfirmed
	}
	return walletfi.CommitmentProcessed
}

func (a landing) status(c walletfi.Commitment) walletfi.SignatureStatus {
	s := walletfi.SignatureStatus{Found: true, Commitment: c, Slot: a.slot}
	if a.failed {
		s.Err = "InstructionError: [0, Custom: 1]"
	}
	return s
}
