package socialsearch

import (
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/clock"
)

// SpendIn returns a [SpendStore] that keeps what is spent in a token store of its own, which must
// hold nothing else: whatever keeps tokens across restarts and processes keeps this too. Each change
// is one Replace of what was loaded, so that none is lost; where many calls a second are counted, a
// store that adds up itself costs less.
func SpendIn(store walletfi.TokenStore) SpendStore { return spendIn{store} }

type spendIn struct{ store walletfi.TokenStore }

// spending is the JSON in the access token.
type spending struct {
	Spent    *Cost           `json:"spent"`
	Reserved *Cost           `json:"reserved"`
	ByID     map[string]Cost `json:"byID"` // what is reserved, by quoted ids: any bytes are one
}

// Of two processes that change the state at once one comes second, and does it again a little later.
const (
	leastPause = time.Millisecond
	mostPause  = 250 * time.Millisecond
)

var errNoSpending = errors.New("socialsearch: the token store holds something else than what was spent")

// spendingOf reads what a token has. Only a store without a token has spent nothing.
func spendingOf(token walletfi.Token) (now spending, err error) {
	if token.Same(walletfi.Token{}) {
		return spending{new(Cost), new(Cost), map[string]Cost{}}, nil
	}
	text := json.NewDecoder(strings.NewReader(token.Access.Reveal()))
	text.DisallowUnknownFields()
	if text.Decode(&now) != nil || now.Spent == nil || now.Reserved == nil || now.ByID == nil {
		return now, errNoSpending
	}
	least := min(*now.Spent, *now.Reserved)
	for _, reserved := range now.ByID {
		least = min(least, reserved)
	}
	if least < 0 {
		return now, errNoSpending
	}
	return now, nil
}

// change makes a change of the state and of what is reserved, again as long as others come first. It
// returns the state after it, or if change makes none as it is.
func (s spendIn) change(ctx context.Context, change func(*MeterState, map[string]Cost) bool) (MeterState, error) {
	for n := 0; ; n++ {
		old, err := s.store.Load(ctx)
		if err != nil {
			return MeterState{}, err
		}
		now, err := spendingOf(old)
		if err != nil {
			return MeterState{}, err
		}
		state := MeterState{*now.Spent, *now.Reserved}
		if !change(&state, now.ByID) {
			return state, nil
		}
		text, err := json.Marshal(spending{&state.Spent, &state.Reserved, now.ByID})
		if err != nil {
			return MeterState{}, err
		}
		isDone, err := s.store.Replace(ctx, old, walletfi.Token{Access: walletfi.NewSecret(string(text))})
		if err != nil || isDone {
			return state, err
		}
		if err := clock.Wait(ctx, nil, clock.Jitter(nil, leastPause, mostPause, n)); err != nil {
			return MeterState{}, err
		}
	}
}

// Reserve implements [SpendStore].
func (s spendIn) Reserve(ctx context.Context, id string, most, budget Cost) (Reservation, error) {
	hasRoom := false
	state, err := s.change(ctx, func(now *MeterState, byID map[string]Cost) bool {
		if *now, hasRoom = now.After(most, budget); hasRoom {
			byID[strconv.QuoteToASCII(id)] = byID[strconv.QuoteToASCII(id)].plus(most)
		}
		return hasRoom
	})
	return Reservation{State: state, Reserved: hasRoom && err == nil}, err
}

// Settle implements [SpendStore].
func (s spendIn) Settle(ctx context.Context, id string, cost Cost) (MeterState, error) {
	return s.change(ctx, func(now *MeterState, byID map[string]Cost) bool {
		reserved, isOpen := byID[strconv.QuoteToASCII(id)]
		if isOpen {
			delete(byID, strconv.QuoteToASCII(id))
			*now = now.Settled(reserved, cost)
		}
		return isOpen
	})
}

// State implements [SpendStore].
func (s spendIn) State(ctx context.Context) (MeterState, error) {
	return s.change(ctx, func(*MeterState, map[string]Cost) bool { return false })
}
