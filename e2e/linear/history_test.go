package linear

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet"
)

// never is when an operation returns whose effect may come at any time.
const never = math.MaxInt64

// history holds requests and answers, by partition: a key or a holder.
type history struct {
	begun time.Time
	clock func() int64
	ticks atomic.Int64

	mu     sync.Mutex
	parts  map[string][]porcupine.Operation
	counts map[string]int // what happened, for the assertions that something did
}

func newHistory() *history {
	h := &history{begun: time.Now(), parts: map[string][]porcupine.Operation{}, counts: map[string]int{}}
	h.clock = h.nanoseconds
	return h
}

// now is the time of the history.
func (h *history) now() int64 { return h.clock() }

// nanoseconds are those of the machine's monotonic clock.
func (h *history) nanoseconds() int64 { return int64(time.Since(h.begun)) }

// tick counts the moments at which something was begun or answered.
func (h *history) tick() int64 { return h.ticks.Add(1) }

func (h *history) add(part string, op porcupine.Operation) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.parts[part] = append(h.parts[part], op)
}

func (h *history) count(what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.counts[what]++
}

// record is an entry as the models compare it.
type record struct {
	version    uint64
	text       string // all of the entry, as JSON
	state      wallet.KeyState
	intent     string
	signatures []string
	droppable  bool // the journal may drop it whenever it likes
}

// recordOf returns nil for the zero Entry, which stands for none.
func recordOf(e wallet.Entry) *record {
	if e.Version == 0 && e.Key == "" {
		return nil
	}
	text, err := json.Marshal(e)
	if err != nil {
		text = []byte(err.Error())
	}
	r := &record{
		version: e.Version, text: string(text), state: e.State, intent: e.Intent, droppable: e.Droppable(),
	}
	for _, s := range e.Steps {
		r.signatures = append(r.signatures, s.Own, s.Signature)
	}
	return r
}

// same reports whether seen and stored are equal to the last byte.
func (r *record) same(seen *record) bool {
	return r != nil && seen != nil && r.version == seen.version && r.text == seen.text
}

// asked reports whether a query selects the record, as the comment of wallet.Query
// has it.
func (r *record) asked(q wallet.Query) bool {
	settled := []wallet.KeyState{
		wallet.KeyFree, wallet.KeyConfirmed, wallet.KeyFailed, wallet.KeyExpired, wallet.KeyReleased,
	}
	switch {
	case r == nil:
		return false
	case q.Open && slices.Contains(settled, r.state):
		return false
	case q.Intent != "" && q.Intent != r.intent:
		return false
	}
	return len(q.Signatures) == 0 || slices.ContainsFunc(q.Signatures, func(s string) bool {
		return s != "" && slices.Contains(r.signatures, s)
	})
}

func (r *record) String() string {
	if r == nil {
		return "nothing"
	}
	drop := ""
	if r.droppable {
		drop = ", droppable"
	}
	return fmt.Sprintf("v%d (%s%s)", r.version, r.state, drop)
}

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
