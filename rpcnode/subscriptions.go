package rpcnode

import (
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/walletfi/walletfi-go"
)

// subscriptions are the subjects that a Watcher watches, with the node's numbers for
// them on the present connection.
type subscriptions struct {
	commitment walletfi.Commitment
	watches    map[string]*watch // by signature

	// Of the present connection.
	lastID   uint64
	requests map[uint64]*watch // not acknowledged
	numbers  map[uint64]*watch // by the node's number
	early    map[uint64]bool   // numbers whose notification came before the acknowledgement
}

// watch is a signature that is watched.
type watch struct {
	signature string
	changed   map[*func()]struct{}
	asked     time.Time // when the subscription was requested
	missed    bool      // it was watched before the present connection
	live      bool      // the node has a subscription, of this number
	number    uint64
}

// maxEarly bounds what is kept of a node that sends what was not asked for.
const maxEarly = 256

// add returns the message that subscribes, if there is none yet.
func (s *subscriptions) add(signature string, changed *func()) [][]byte {
	if w, ok := s.watches[signature]; ok {
		w.changed[changed] = struct{}{}
		return nil
	}
	if _, err := solana.SignatureFromBase58(signature); err != nil {
		return nil
	}
	w := &watch{signature: signature, changed: map[*func()]struct{}{changed: {}}}
	s.watches[signature] = w
	return [][]byte{s.subscribe(w)}
}

// remove returns the message that unsubscribes, if it was the last watch.
func (s *subscriptions) remove(signature string, changed *func()) [][]byte {
	w, ok := s.watches[signature]
	if !ok {
		return nil
	}
	if delete(w.changed, changed); len(w.changed) > 0 {
		return nil
	}
	delete(s.watches, signature)
	if !w.live {
		return nil
	}
	delete(s.numbers, w.number)
	return [][]byte{s.unsubscribe(w.number)}
}

// resume returns the messages that subscribe to everything on a new connection.
func (s *subscriptions) resume() [][]byte {
	s.requests, s.numbers, s.early = map[uint64]*watch{}, map[uint64]*watch{}, map[uint64]bool{}
	messages := [][]byte{s.request("slotSubscribe")}
	for _, signature := range slices.Sorted(maps.Keys(s.watches)) {
		w := s.watches[signature]
		w.live, w.missed = false, true
		messages = append(messages, s.subscribe(w))
	}
	return messages
}

func (s *subscriptions) subscribe(w *watch) []byte {
	message := s.request("signatureSubscribe", w.signature, map[string]any{
		"commitment": s.commitment, "enableReceivedNotification": false,
	})
	if w.asked = time.Now(); s.requests != nil {
		s.requests[s.lastID] = w
	}
	return message
}

func (s *subscriptions) unsubscribe(number uint64) []byte {
	return s.request("signatureUnsubscribe", number)
}

func (s *subscriptions) request(method string, params ...any) []byte {
	s.lastID++
	message, _ := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": s.lastID, "method": method, "params": params})
	return message
}

// take takes a message in. It returns what is to be hinted at and sent.
func (s *subscriptions) take(m *socketMessage) (hints []*watch, send [][]byte) {
	switch {
	case m.Method == "signatureNotification":
		return s.notified(m.Params.Subscription), nil
	case m.Method == "" && m.ID > 0:
		return s.acknowledged(m)
	}
	return nil, nil
}

// notified takes a notification, with which a node ends the subscription.
func (s *subscriptions) notified(number uint64) []*watch {
	w, ok := s.numbers[number]
	if !ok {
		if len(s.early) < maxEarly {
			s.early[number] = true
		}
		return nil
	}
	delete(s.numbers, number)
	w.live = false
	return []*watch{w}
}

// acknowledged takes the answer to a request. One that was refused leaves the
// signature without hints until the next connection.
func (s *subscriptions) acknowledged(m *socketMessage) (hints []*watch, send [][]byte) {
	w, ok := s.requests[m.ID]
	if !ok {
		return nil, nil
	}
	delete(s.requests, m.ID)
	var number uint64
	if json.Unmarshal(m.Result, &number) != nil {
		return nil, nil
	}
	early := s.early[number]
	delete(s.early, number)
	switch {
	case early: // the node has ended it
	case s.watches[w.signature] != w:
		return nil, [][]byte{s.unsubscribe(number)}
	default:
		w.live, w.number = true, number
		s.numbers[number] = w
	}
	if early || w.missed || time.Since(w.asked) > subscribedLate {
		w.missed = false
		return []*watch{w}, nil
	}
	return nil, nil
}
