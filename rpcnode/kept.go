package rpcnode

import (
	"cmp"
	"sync"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
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

func (k *kept[K, V]) put(key K, value V) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, known := k.held[key]; k.held == nil || !known && len(k.held) >= cmp.Or(k.most, maxKept) {
		k.held = map[K]aged[V]{}
	}
	k.held[key] = aged[V]{value, clock.Now(k.clock)}
}
