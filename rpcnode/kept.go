package rpcnode

import (
	"cmp"
	"slices"
	"sync"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
	"github.com/walletfi/walletfi-go/signing"
)

// maxKept is how much is kept of one kind: of blocks 2 MB, so that a window that was read
// once is not read again while it is asked for now and then.
const maxKept = 8192

// kept holds answers of the node, so that the same question costs no further call. If it
// is full, it is emptied.
type kept[K comparable, V any] struct {
	most  int           // 0 means maxKept
	life  time.Duration // 0 means for good
	clock walletfi.Clock

	mu   sync.Mutex
	held map[K]aged[V]
}

type aged[V any] struct {
	value V
	read  time.Time
}

func (k *kept[K, V]) get(key K) (value V, ok bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	held, ok := k.held[key]
	if !ok || k.life > 0 && clock.Since(k.clock, held.read) > k.life {
		return value, false
	}
	return held.value, true
}

// age is how long ago a key's value was put, which is held.
func (k *kept[K, V]) age(key K) time.Duration {
	k.mu.Lock()
	defer k.mu.Unlock()
	return clock.Since(k.clock, k.held[key].read)
}

// take is get, once.
func (k *kept[K, V]) take(key K) (V, bool) {
	value, ok := k.get(key)
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.held, key)
	return value, ok
}

func (k *kept[K, V]) put(key K, value V) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, known := k.held[key]; k.held == nil || !known && len(k.held) >= cmp.Or(k.most, maxKept) {
		k.held = map[K]aged[V]{}
	}
	k.held[key] = aged[V]{value, clock.Now(k.clock)}
}

// mostSignatures is how many signatures of blocks are kept, of 64 bytes each: those of a whole
// window, through which one message after the other is looked for.
const mostSignatures = 400_000

// signatures holds those of blocks, by their hashes. If there are too many, all are dropped.
type signatures struct {
	mu   sync.Mutex
	held map[string][]signing.Signature
	n    int
}

func (s *signatures) get(block string) (all []signing.Signature, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all, ok = s.held[block]
	return all, ok
}

// put keeps the signatures of a block that shows some: one that shows none may do so later.
func (s *signatures) put(block string, all []signing.Signature) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.n += len(all); s.held == nil || s.n > mostSignatures {
		s.held, s.n = map[string][]signing.Signature{}, len(all)
	}
	if len(all) > 0 {
		s.held[block] = all
	}
}

// sightings are transactions that the node was asked for and has, of one slot one each, the
// oldest first. They are witnesses where its blocks list none.
type sightings struct {
	mu   sync.Mutex
	held []sighting
}

type sighting struct {
	slot      uint64
	signature solana.Signature
}

const (
	maxSightings = 64
	nearest      = 4
)

// add takes in what the node says of a signature. What it does not know any more was on a fork.
func (s *sightings) add(status walletfi.SignatureStatus, signature solana.Signature) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !status.Found {
		s.held = slices.DeleteFunc(s.held, func(held sighting) bool { return held.signature == signature })
	}
	if !status.Commitment.AtLeast(walletfi.CommitmentConfirmed) {
		return
	}
	i, found := slices.BinarySearchFunc(s.held, status.Slot, func(held sighting, slot uint64) int {
		return cmp.Compare(held.slot, slot)
	})
	if !found {
		s.held = slices.Insert(s.held, i, sighting{status.Slot, signature})
	}
	if len(s.held) > maxSightings {
		s.held = slices.Delete(s.held, 0, 1)
	}
}

// near lists those from a slot on, or up to it, the nearest first.
func (s *sightings) near(slot uint64, after bool) (near []sighting) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, held := range s.held {
		if after && held.slot >= slot || !after && held.slot <= slot {
			near = append(near, held)
		}
	}
	if !after {
		slices.Reverse(near)
	}
	return near[:min(len(near), nearest)]
}
