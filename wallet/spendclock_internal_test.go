package wallet

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// fullWindow is a world with a limit of 100 within an hour.
func fullWindow(t *testing.T) *spendWorld {
	return &spendWorld{
		t: t, random: rand.New(rand.NewPCG(1, 1)), now: time.Date(2026, 11, 28, 0, 0, 0, 0, time.UTC),
		journal: NewMemoryJournal(), limits: []SpendLimit{{Mint: "mint", Within: time.Hour, Most: 100}}, steady: true,
	}
}

// holds holds that nothing more leaves for an hour after a time.
func (s *spender) holds(began time.Time) {
	w := s.world
	require.Less(w.t, w.now.Sub(began), time.Hour)
	for ; w.now.Sub(began) < time.Hour; w.now = w.now.Add(time.Minute) {
		require.True(w.t, s.pay(99, nil) == nil, "%v after all that the limit allows has left", w.now.Sub(began))
	}
}

// TestSpendClockBehindANonce: a durable nonce's transaction lands hours after it was signed, while the machine
// is suspended. Its clock is behind when it finds out, and no newer head was asked for. The node would tell the
// time of the block that it landed in.
func TestSpendClockBehindANonce(t *testing.T) {
	w := fullWindow(t)
	s := &spender{world: w}
	s.begin()
	signed := s.pay(99, nil)
	require.NotNil(t, signed)
	w.now = w.now.Add(5 * time.Hour)
	s.apart = -5 * time.Hour
	w.lands(signed)
	began := w.now
	s.store(&signed.entry, signed.confirmed, true)
	s.apart = 0
	w.now = w.now.Add(time.Second)
	s.holds(began)
}

// outage is a node that does not tell the time of blocks while it is down.
type outage struct {
	*spender
	down bool
}

func (o *outage) FinalTime(ctx context.Context, slot uint64) (time.Time, error) {
	if o.down {
		return time.Time{}, errors.New("down")
	}
	return o.spender.FinalTime(ctx, slot)
}

// TestSpendClockBehindAnOutage: the clock is behind, and the node does not tell the time of blocks while a
// payment is made after an idle hour. Then both are right again.
func TestSpendClockBehindAnOutage(t *testing.T) {
	w := fullWindow(t)
	s := &spender{world: w}
	s.begin()
	node := &outage{spender: s}
	s.w.spend.times = node
	w.now = w.now.Add(50 * time.Minute)
	s.apart, node.down = -45*time.Minute, true
	signed := s.pay(99, nil)
	require.NotNil(t, signed)
	w.lands(signed)
	began := w.now
	s.store(&signed.entry, signed.confirmed, true)
	s.apart, node.down = 0, false
	w.now = w.now.Add(time.Second)
	s.holds(began)
}
