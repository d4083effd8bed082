package bearer

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/places"
)

// inRoom puts a rig's Tokens, which has done nothing yet, into a room.
func (r *rig) inRoom(room *Room) *rig {
	cfg := r.cfg
	cfg.Room = room
	r.Tokens = New(cfg)
	return r
}

func roomOf(most int) *Room { return &Room{places.New(most).Room("a")} }

// TestOfOneHostShareARoom: so many renew at a time, and none fails although all
// of them together take longer than RefreshTimeout.
func TestOfOneHostShareARoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		room := roomOf(4)
		var mu sync.Mutex
		inside, most := 0, 0
		var group sync.WaitGroup
		var rigs []*rig
		for range 40 {
			r := newRig(t, time.Minute).inRoom(room)
			r.answer = func(ctx context.Context, n int, old walletfi.Token) (walletfi.Token, error) {
				mu.Lock()
				inside++
				most = max(most, inside)
				mu.Unlock()
				defer func() {
					mu.Lock()
					inside--
					mu.Unlock()
				}()
				return slowly(5*time.Second)(ctx, n, old)
			}
			rigs = append(rigs, r)
		}
		advance(time.Hour)
		begun := time.Now()
		for _, r := range rigs {
			group.Go(func() { assert.Equal(t, "Bearer a1", r.sent(t)) })
		}
		group.Wait()
		require.Equal(t, 50*time.Second, time.Since(begun), "ten after each other, past the 15 seconds of RefreshTimeout")
		require.Equal(t, 4, most)
		for _, r := range rigs {
			require.Equal(t, 1, r.count())
		}
	})
}

// TestWithoutATurn: its call ends in time, with its own deadline or in the end
// with ErrUnavailable, and the token is not refreshed.
func TestWithoutATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		room := roomOf(1)
		require.NoError(t, room.Enter(t.Context(), false, 0))
		r := newRig(t, time.Minute).inRoom(room)
		advance(time.Hour)
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		begun := time.Now()
		require.ErrorIs(t, r.Authorise(ctx, http.Header{}), context.DeadlineExceeded)
		require.Equal(t, 3*time.Second, time.Since(begun))
		err := r.Authorise(t.Context(), http.Header{})
		require.ErrorIs(t, err, walletfi.ErrUnavailable)
		require.ErrorContains(t, err, "renewals of other clients")
		require.Equal(t, crowdPatience, time.Since(begun))
		require.Zero(t, r.count())
		room.Leave()
		advance(firstRetry)
		require.Equal(t, "Bearer a1", r.sent(t), "once there is a turn")
		require.NoError(t, room.Enter(t.Context(), false, time.Second), "and the place is given back")
	})
}

// TestRefreshThatHangsLeavesItsPlace when its time is over, if it heeds that or not.
func TestRefreshThatHangsLeavesItsPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		room := roomOf(1)
		hung, fine := newRig(t, time.Minute).inRoom(room), newRig(t, time.Minute).inRoom(room)
		release := make(chan struct{})
		hung.answer = func(context.Context, int, walletfi.Token) (walletfi.Token, error) {
			<-release
			return walletfi.Token{}, errors.New("late")
		}
		advance(time.Hour)
		var group sync.WaitGroup
		group.Go(func() { assert.ErrorIs(t, hung.Authorise(t.Context(), http.Header{}), walletfi.ErrUnavailable) })
		synctest.Wait()
		begun := time.Now()
		require.Equal(t, "Bearer a1", fine.sent(t))
		require.Equal(t, 15*time.Second, time.Since(begun))
		group.Wait()
		close(release)
		synctest.Wait()
		require.NoError(t, room.Enter(t.Context(), false, time.Second), "left once")
		require.ErrorIs(t, room.Enter(t.Context(), false, time.Second), places.ErrFull)
	})
}

// TestThatWaitsForAnotherProcessHasNoPlace: many such keep nobody waiting, and
// who holds the right to refresh has a place, so that its lease does not run out.
func TestThatWaitsForAnotherProcessHasNoPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		room := roomOf(1)
		waiting, fine := newRig(t, time.Minute).inRoom(room), newRig(t, time.Minute).inRoom(room)
		advance(time.Hour)
		unlock, err := waiting.store.TryLock(t.Context(), time.Hour)
		require.NoError(t, err)
		var group sync.WaitGroup
		group.Go(func() { assert.Equal(t, "Bearer a1", waiting.sent(t)) })
		synctest.Wait()
		begun := time.Now()
		require.Equal(t, "Bearer a1", fine.sent(t))
		require.LessOrEqual(t, time.Since(begun), lockPoll)
		require.Zero(t, waiting.count(), "the other process has not let go")
		advance(time.Second)
		require.NoError(t, room.Enter(t.Context(), false, lockPoll), "nor does it wait in a place")
		room.Leave()
		unlock()
		group.Wait()
		require.Equal(t, 1, waiting.count())
		synctest.Wait()
		require.NoError(t, room.Enter(t.Context(), false, time.Second), "left once")
		require.ErrorIs(t, room.Enter(t.Context(), false, time.Second), places.ErrFull)
	})
}

// TestWithoutAPlaceAgain: who waited for another process, and then finds no place
// until its time is over, does not refresh without one.
func TestWithoutAPlaceAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		room := roomOf(1)
		waiting := newRig(t, time.Minute).inRoom(room)
		advance(time.Hour)
		unlock, err := waiting.store.TryLock(t.Context(), time.Hour)
		require.NoError(t, err)
		begun, ended := time.Now(), make(chan error, 1)
		go func() { ended <- waiting.Authorise(t.Context(), http.Header{}) }()
		synctest.Wait()
		require.NoError(t, room.Enter(t.Context(), false, lockPoll/2), "it has left")
		unlock()
		err = <-ended
		require.ErrorIs(t, err, walletfi.ErrUnavailable)
		require.Equal(t, 15*time.Second, time.Since(begun))
		require.Zero(t, waiting.count())
		advance(firstRetry)
		room.Leave()
		require.Equal(t, "Bearer a1", waiting.sent(t))
	})
}

// TestPlaces: one that is taken at the end is given back, and without a room there is
// only the end.
func TestPlaces(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	room := roomOf(1)
	for _, p := range []*place{{}, {room: room}} {
		require.ErrorIs(t, p.enter(ended), context.Canceled)
		require.NoError(t, p.enter(t.Context()))
		if p.room != nil {
			require.Equal(t, places.ErrFull, room.Enter(t.Context(), false, 1))
			require.ErrorIs(t, (&place{room: room}).enter(endingSoon(t, 1)), context.Canceled, "nor does it wait")
		}
		p.leave()
		p.leave()
	}
	require.ErrorIs(t, (&place{room: room}).enter(endingSoon(t, 1)), context.Canceled, "in the moment that it ends")
	require.NoError(t, room.Enter(t.Context(), false, 1))
	require.Equal(t, places.ErrFull, room.Enter(t.Context(), false, 1), "left once")
}

// TestRenewalsOf: all clients of a host share a room of 64, whatever the rest of their
// URLs is.
func TestRenewalsOf(t *testing.T) {
	require.Nil(t, RenewalsOf("://"))
	one, two := RenewalsOf("https://renewals.example/a"), RenewalsOf("https://renewals.example/b/c")
	require.Same(t, one.Room, two.Room)
	require.NotSame(t, one.Room, RenewalsOf("https://other.example/a").Room)
	for range 64 {
		require.NoError(t, one.Enter(t.Context(), false, 1))
	}
	require.Equal(t, places.ErrFull, two.Enter(t.Context(), false, 1))
	for range 64 {
		one.Leave()
	}
	require.ErrorContains(t, errCrowded, "64 renewals of other clients")
}

// TestSpread: tokens that came at once are renewed over a stretch before their expiry,
// each once, and never earlier than the bounds say.
func TestSpread(t *testing.T) {
	for _, test := range []struct{ life, spread, earliest, latest time.Duration }{
		{time.Hour, 5 * time.Minute, 30*time.Second + 5*time.Minute, 30 * time.Second},
		{10 * time.Minute, 5 * time.Minute, 30*time.Second + time.Minute, 30 * time.Second},
		{40 * time.Second, 5 * time.Minute, 20 * time.Second, 20 * time.Second},
		{time.Hour, 0, 30 * time.Second, 30 * time.Second},
	} {
		inBubble(fmt.Sprint(test.life, test.spread), t, func(t *testing.T) {
			different := map[time.Duration]bool{}
			for range 200 {
				r := newRig(t, test.life)
				r.cfg.Spread = test.spread
				require.Equal(t, "Bearer a0", r.sent(t))
				cred := r.current.Load()
				early := cred.token.Expiry.Sub(cred.renewAt)
				require.GreaterOrEqual(t, early, test.latest)
				require.LessOrEqual(t, early, test.earliest)
				different[early/time.Second] = true
			}
			if test.earliest > test.latest {
				require.Greater(t, len(different), 30)
			} else {
				require.Len(t, different, 1)
			}
		})
	}
}

// TestSpreadRefreshesOnce: processes that share a token, each with a spread of its own,
// refresh it once, and use no refresh token twice.
func TestSpreadRefreshesOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newRig(t, time.Hour)
		r.cfg.Spread = 5 * time.Minute
		all := []*Tokens{r.Tokens}
		for range 7 {
			all = append(all, New(r.cfg))
		}
		for range 2 * 60 * 60 {
			advance(time.Second)
			for _, b := range all {
				require.NoError(t, b.Authorise(t.Context(), http.Header{}))
			}
		}
		require.GreaterOrEqual(t, r.refreshes, 2)
		require.LessOrEqual(t, r.refreshes, 3)
		used := map[string]bool{}
		for _, token := range r.used {
			require.False(t, used[token], "a refresh token twice")
			used[token] = true
		}
	})
}

// TestPlaceInTheOrderOfComing: a renewal that takes its place again is no more urgent
// than those that came before.
func TestPlaceInTheOrderOfComing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		room := roomOf(1)
		require.NoError(t, room.Enter(t.Context(), false, 0))
		var order []string
		var group sync.WaitGroup
		group.Go(func() {
			assert.NoError(t, room.Enter(t.Context(), false, 0))
			order = append(order, "first")
			room.Leave()
		})
		synctest.Wait()
		group.Go(func() {
			p := &place{room: room}
			assert.NoError(t, p.enter(t.Context()))
			order = append(order, "again")
			p.leave()
		})
		synctest.Wait()
		room.Leave()
		group.Wait()
		require.Equal(t, []string{"first", "again"}, order)
	})
}

// lateEnd is a context that ends after it was looked at so often.
type lateEnd struct {
	context.Context
	looks int
}

func endingSoon(t *testing.T, looks int) *lateEnd {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return &lateEnd{ctx, looks}
}

func (l *lateEnd) Err() error {
	if l.looks--; l.looks >= 0 {
		return nil
	}
	return l.Context.Err()
}
