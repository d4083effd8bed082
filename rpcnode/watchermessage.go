package rpcnode

import (
	"context"
	"encoding/json"
	"time"

	"github.com/walletfi/walletfi-go/internal/observing"
	"github.com/walletfi/walletfi-go/internal/wsconn"
	"github.com/walletfi/walletfi-go/observe"
)

// watcherHandler takes what happens on the connection.
type watcherHandler Watcher

var _ wsconn.Handler = (*watcherHandler)(nil)

// socketMessage is a message of a node: the answer to a request, or a
// notification.
type socketMessage struct {
	ID     uint64          `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  json.RawMessage `json:"error"`
	Method string          `json:"method"`
	Params struct {
		Subscription uint64          `json:"subscription"`
		Result       json.RawMessage `json:"result"`
	} `json:"params"`
}

// Message takes a node's message. One that is not understood is passed over: it
// could only have been a hint.
func (h *watcherHandler) Message(text []byte) {
	var m socketMessage
	_ = json.Unmarshal(text, &m)
	w := (*Watcher)(h)
	var hints []*watch
	w.update(func(s *subscriptions) (send [][]byte) {
		w.heard = time.Now()
		if m.Method == "slotNotification" {
			w.newSlot(m.Params.Result)
		}
		hints, send = s.take(&m)
		return send
	})
	w.hint(hints)
}

// newSlot notes a slot and gives the connection time for the next one. The lock
// is held.
func (w *Watcher) newSlot(result json.RawMessage) {
	var told struct {
		Slot uint64 `json:"slot"`
	}
	if json.Unmarshal(result, &told) == nil && told.Slot > 0 {
		w.slot = told.Slot
		w.quiet.Reset(slotsMissing)
	}
}

// hint calls what watches. A callback may take locks of its own.
func (w *Watcher) hint(watches []*watch) {
	var all []func()
	w.mu.Lock()
	for _, one := range watches {
		for changed := range one.changed {
			all = append(all, *changed)
		}
	}
	w.mu.Unlock()
	for _, changed := range all {
		changed()
	}
}

// Up tells of a gap between two Conns.
func (h *watcherHandler) Up() {
	h.mu.Lock()
	gap := h.missing
	h.err, h.missing = nil, nil
	h.mu.Unlock()
	if gap == nil {
		return
	}
	gap.To = time.Now()
	observing.Tell(context.Background(), h.cfg.Observer, observe.FeedGap{Service: service, From: gap.From, To: gap.To})
	if h.cfg.OnGap != nil {
		h.cfg.OnGap(*gap)
	}
}

// Reached is of no interest: a node acknowledges each subscription.
func (h *watcherHandler) Reached(uint64) {}

// Gap tells of a gap between two sessions of one Conn.
func (h *watcherHandler) Gap(gap wsconn.Gap) {
	if h.cfg.OnGap != nil {
		h.cfg.OnGap(Gap{gap.From, gap.To, gap.Reason})
	}
}

// Down notes why there is no connection.
func (h *watcherHandler) Down(err error, _ time.Duration) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.err = err
	h.quiet.Stop()
}
