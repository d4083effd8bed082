package socialsearch

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/walletfi/walletfi-go"
)

// SpendIn returns a [SpendStore] that keeps what is spent in a token store of its own, which must
// hold nothing else: whatever keeps tokens across restarts and processes keeps this too. Each change
// is one Replace of what was loaded, so that none is lost; where many calls a second are counted, a
// store that adds up itself costs less.
func SpendIn(store walletfi.TokenStore) SpendStore { return spendIn{store} }

type spendIn struct{ store walletfi.TokenStore }

// spending is the JSON in the access token.
type spending struct {
	MeterState
	ByID map[string]Cost `json:"byID"` // what is reserved
}

var errNoSpending = errors.New("socialsearch: the token store holds something else than what was spent")

// change makes a change of the state, again as long as others come first. It returns the state after
// it, or if change makes none as it is.
func (s spendIn) change(ctx context.Context, change func(*spending) bool) (MeterState, error) {
	for {
		old, err := s.store.Load(ctx)
		if err != nil {
			return MeterState{}, err
		}
		now := spending{ByID: map[string]Cost{}}
		if text := old.Access.Reveal(); text != "" && (json.Unmarshal([]byte(text), &now) != nil || now.ByID == nil) {
			return MeterState{}, errNoSpending
		}
		if !change(&now) {
			return now.MeterState, nil
		}
		text, err := json.Marshal(now)
		if err != nil {
			return MeterState{}, err
		}
		isDone, err := s.store.Replace(ctx, old, walletfi.Token{Access: walletfi.NewSecret(string(text))})
		if err != nil || isDone {
			return now.MeterState, err
		}
	}
}

// Reserve implements [SpendStore].
func (s spendIn) Reserve(ctx context.Context, id string, most, budget Cost) (MeterState, bool, error) {
	hasRoom := false
	state, err := s.change(ctx, func(now *spending) bool {
		if now.MeterState, hasRoom = now.After(most, budget); hasRoom {
			now.ByID[id] = now.ByID[id].plus(most)
		}
		return hasRoom
	})
	return state, hasRoom && err == nil, err
}

// Settle implements [SpendStore].
func (s spendIn) Settle(ctx context.Context, id string, cost Cost) (MeterState, error) {
	return s.change(ctx, func(now *spending) bool {
		reserved, isOpen := now.ByID[id]
		if isOpen {
			delete(now.ByID, id)
			now.MeterState = now.Settled(reserved, cost)
		}
		return isOpen
	})
}

// State implements [SpendStore].
func (s spendIn) State(ctx context.Context) (MeterState, error) {
	return s.change(ctx, func(*spending) bool { return false })
}
