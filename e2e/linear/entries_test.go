package linear

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

var keyStates = []wallet.KeyState{
	wallet.KeyClaimed, wallet.KeySigned, wallet.KeySent, wallet.KeyInDoubt,
	wallet.KeyConfirmed, wallet.KeyFailed, wallet.KeyExpired, wallet.KeyReleased,
}

// world holds what the clients of one history ask about.
type world struct {
	keys    []string
	holders []string
	order   map[string]int // of the keys, by Entry.Since
	intents []string
	// versions gives each Store a version that no other has.
	versions func(rng *rand.Rand) uint64
}

func newWorld(rng *rand.Rand) *world {
	w := &world{order: map[string]int{}, intents: []string{"intent-a", "intent-b", "intent-ä 'quoted'"}}
	for i, place := range rng.Perm(3) {
		key := fmt.Sprintf("order-%d", i)
		w.keys = append(w.keys, key)
		w.order[key] = place
		w.holders = append(w.holders, fmt.Sprintf("wallet-%d", i))
	}
	var counter atomic.Uint64
	w.versions = func(*rand.Rand) uint64 { return counter.Add(1) }
	if rng.IntN(2) == 0 { // nothing says that versions count up, or stay small
		w.versions = func(rng *rand.Rand) uint64 { return rng.Uint64() | 1 }
	}
	return w
}

// entry is something to store under a key: its place in time is that of the key, so
// that the order of a list is known.
func (w *world) entry(rng *rand.Rand, key string) wallet.Entry {
	since := time.Date(2026, 1, 1, 0, 0, w.order[key], 987_654_321, time.UTC)
	e := wallet.Entry{
		Schema: wallet.Schema, Key: key, Version: w.versions(rng), Since: since,
		State: keyStates[rng.IntN(len(keyStates))], Intent: w.intents[rng.IntN(len(w.intents))],
		Derived: rng.IntN(4) == 0, Bundle: rng.IntN(4) == 0,
		Asked: walletfi.Intent{Service: "linear", Owner: "owner <&> \"quoted\""},
	}
	if !e.State.Settled() {
		e.Holder = w.holders[rng.IntN(len(w.holders))]
	}
	for i := range rng.IntN(3) {
		s := wallet.EntryStep{State: e.State, Own: signature(key, rng.IntN(3)), Blockhash: "hash", Last: rng.Uint64()}
		if rng.IntN(2) == 0 {
			s.Signature = signature(key, 3+rng.IntN(3))
		}
		if !e.State.Settled() { // of a settled step the bytes need not be kept
			s.Transaction = walletfi.Base64Transaction(fmt.Sprintf("bytes%d", i))
			s.Doors = []string{"door"}
		}
		e.Steps = append(e.Steps, s)
	}
	return e
}

func signature(key string, i int) string { return fmt.Sprintf("signature-%s-%d", key, i) }

// query is something to list.
func (w *world) query(rng *rand.Rand) wallet.Query {
	q := wallet.Query{Open: rng.IntN(2) == 0}
	if rng.IntN(3) == 0 {
		q.Intent = w.intents[rng.IntN(len(w.intents))]
	}
	if rng.IntN(3) == 0 {
		for range 1 + rng.IntN(3) {
			key := w.keys[rng.IntN(len(w.keys))]
			q.Signatures = append(q.Signatures, signature(key, rng.IntN(6)))
		}
	}
	return q
}
