package wallet

import (
	"encoding/json"
	"slices"
	"sync"

	"github.com/walletfi/walletfi-go"
)

// records holds, in memory, what the wallet knows of each intent. An intent
// without a record may be executed.
type records struct {
	mu       sync.Mutex
	byIntent map[string]*record // the key is the intent's JSON
}

// record is the state of one intent: running, unsettled, or both.
type record struct {
	running   bool        // an Execute has not returned; no other may start
	unsettled []Unsettled // the outcomes that the next Execute must settle first
}

// list returns copies of all unsettled transactions, in no order.
func (r *records) list() []Unsettled {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []Unsettled
	for _, rec := range r.byIntent {
		for _, u := range rec.unsettled {
			u.Intent = u.Intent.Clone()
			all = append(all, u)
		}
	}
	return all
}

// add makes u the last unsettled transaction of its intent.
func (r *records) add(u Unsettled) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rec := r.of(keyOf(u.Intent))
	u.Intent = u.Intent.Clone()
	rec.unsettled = append(rec.unsettled, u)
}

// forget drops the record of an intent that is not running.
func (r *records) forget(key string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if rec := r.byIntent[key]; rec != nil && !rec.running {
		delete(r.byIntent, key)
	}
}

// begin marks an intent as running and returns what must be settled first. It
// returns false if the intent is running already.
func (r *records) begin(key string) (earlier []Unsettled, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rec := r.of(key)
	if rec.running {
		return nil, false
	}
	rec.running = true
	return slices.Clone(rec.unsettled), true
}

// end marks an intent as no longer running. The first settled of the
// transactions that begin returned are dropped, and more are added.
func (r *records) end(key string, settled int, more []Unsettled) {
	r.mu.Lock()
	defer r.mu.Unlock()
	rec := r.byIntent[key]
	rec.running = false
	rec.unsettled = append(rec.unsettled[settled:], more...)
	if len(rec.unsettled) == 0 {
		delete(r.byIntent, key)
	}
}

// of returns the record of an intent, a new one if there is none. The lock is
// held.
func (r *records) of(key string) *record {
	if r.byIntent == nil {
		r.byIntent = map[string]*record{}
	}
	if r.byIntent[key] == nil {
		r.byIntent[key] = &record{}
	}
	return r.byIntent[key]
}

func keyOf(intent walletfi.Intent) string {
	key, _ := json.Marshal(intent)
	return string(key)
}
