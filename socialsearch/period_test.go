package socialsearch_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/socialsearch"
)

// periods are stores by the start of their period, which other meters share.
type periods struct {
	mu  sync.Mutex
	all map[time.Time]*socialsearch.MemorySpendStore
}

func (p *periods) of(start time.Time) socialsearch.SpendStore {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil {
		p.all = map[time.Time]*socialsearch.MemorySpendStore{}
	}
	if p.all[start] == nil {
		p.all[start] = &socialsearch.MemorySpendStore{}
	}
	return p.all[start]
}

// metered is a client in a bubble whose searches return n posts after a while, 10 at most.
func metered(t *testing.T, n int, while time.Duration, cfg socialsearch.MeterConfig) (*socialsearch.Client, *socialsearch.Meter) {
	t.Helper()
	body := `{"data":[{"id":"1"}`
	for i := range n - 1 {
		body += fmt.Sprintf(`,{"id":"%d"}`, i+2)
	}
	m, err := socialsearch.NewMeter(cfg)
	require.NoError(t, err)
	options := wiretest.Once()
	options.HTTPClient = &http.Client{Transport: slow(func(r *http.Request) (*http.Response, error) {
		time.Sleep(while)
		return wiretest.Answer{Status: 200, Body: body + `]}`}.To(r)
	})}
	return wiretest.Client(t, socialsearch.New, socialsearch.Config{
		BaseURL: "https://j.test", BearerToken: walletfi.NewSecret("b-123456"), Spend: m, Options: options,
	}), m
}

type slow func(*http.Request) (*http.Response, error)

func (s slow) RoundTrip(r *http.Request) (*http.Response, error) { return s(r) }

// TestPeriods: each day has the whole budget, also for a meter that begins later and for one
// that shares the store. What a day has left is not carried over.
func TestPeriods(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stores periods
		cfg := socialsearch.MeterConfig{Budget: 110_000, Every: 24 * time.Hour, StoreOf: stores.of}
		c, m := metered(t, 10, 0, cfg)
		time.Sleep(23 * time.Hour)
		spend := func(c *socialsearch.Client, want error) {
			t.Helper()
			_, err := c.SearchRecent(t.Context(), gm())
			if want == nil {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, want)
			}
		}
		spend(c, nil)
		other, _ := metered(t, 10, 0, cfg)
		spend(other, nil)
		spend(c, socialsearch.ErrSpendBudget)
		spend(other, socialsearch.ErrSpendBudget)
		require.Equal(t, socialsearch.Cost(10_000), m.Remaining())
		time.Sleep(time.Hour - time.Nanosecond)
		spend(c, socialsearch.ErrSpendBudget)
		time.Sleep(time.Nanosecond)
		require.Equal(t, socialsearch.MeterState{}, m.State(), "midnight")
		require.Equal(t, socialsearch.Cost(110_000), m.Remaining())
		spend(c, nil)
		spend(other, nil)
		spend(c, socialsearch.ErrSpendBudget)
		require.Len(t, stores.all, 2)
		for start, store := range stores.all {
			require.Equal(t, start.UTC().Truncate(24*time.Hour), start)
			state, err := store.State(t.Context())
			require.NoError(t, err)
			require.Equal(t, socialsearch.MeterState{Spent: 100_000}, state)
		}
	})
}

// TestCallEndsInALaterPeriod: it is settled in the one that it was sent in.
func TestCallEndsInALaterPeriod(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stores periods
		c, m := metered(t, 3, 2*time.Second, socialsearch.MeterConfig{Budget: 50_000, Every: time.Minute, StoreOf: stores.of})
		time.Sleep(59 * time.Second)
		require.NoError(t, wiretest.Error(c.SearchRecent(t.Context(), gm())))
		require.Equal(t, socialsearch.MeterState{}, m.State())
		require.Len(t, stores.all, 2)
		first, err := stores.of(time.Now().Truncate(time.Minute).Add(-time.Minute).UTC()).State(t.Context())
		require.NoError(t, err)
		require.Equal(t, socialsearch.MeterState{Spent: 15_000}, first)
	})
}

// TestWaitForRoom: calls that wait are all sent, in as many periods as it takes, and no
// period is above its budget.
func TestWaitForRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var stores periods
		c, m := metered(t, 10, 3*time.Second, socialsearch.MeterConfig{
			Budget: 110_000, Every: time.Minute, StoreOf: stores.of, Wait: true,
		})
		var all sync.WaitGroup
		for range 7 {
			all.Go(func() {
				if _, err := c.SearchRecent(t.Context(), gm()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		require.Len(t, stores.all, 4)
		for _, store := range stores.all {
			state, _ := store.State(t.Context())
			require.LessOrEqual(t, state.Spent, socialsearch.Cost(100_000))
		}

		short, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		for m.Remaining() > 50_000 {
			require.NoError(t, wiretest.Error(c.SearchRecent(t.Context(), gm())))
		}
		require.ErrorIs(t, wiretest.Error(c.SearchRecent(short, gm())), context.DeadlineExceeded)
	})
	synctest.Test(t, func(t *testing.T) {
		c, m := metered(t, 1, 3*time.Second, socialsearch.MeterConfig{Budget: 54_999, Wait: true})
		var all sync.WaitGroup
		for range 2 {
			all.Go(func() { _, _ = c.SearchRecent(t.Context(), gm()) })
		}
		all.Wait()
		require.Equal(t, socialsearch.Cost(5_000), m.Spent(), "the second one has no room when the first has ended")
		c, m = metered(t, 1, 3*time.Second, socialsearch.MeterConfig{Budget: 55_000, Wait: true})
		for range 2 {
			all.Go(func() {
				if _, err := c.SearchRecent(t.Context(), gm()); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
		require.Equal(t, socialsearch.Cost(10_000), m.Spent(), "and then it has")
		require.ErrorIs(t, wiretest.Error(c.SearchRecent(t.Context(), gm())), socialsearch.ErrSpendBudget)
		c, _ = metered(t, 1, 0, socialsearch.MeterConfig{Budget: 49_999, Every: time.Minute, Wait: true})
		require.ErrorIs(t, wiretest.Error(c.SearchRecent(t.Context(), gm())), socialsearch.ErrSpendBudget, "it never fits")
	})
}

// TestMeterOfPeriodsIsChecked: what only one kind of meter has.
func TestMeterOfPeriodsIsChecked(t *testing.T) {
	var stores periods
	for field, cfg := range map[string]socialsearch.MeterConfig{
		"every":   {Every: time.Second},
		"store":   {Every: time.Minute, Store: &socialsearch.MemorySpendStore{}},
		"storeOf": {StoreOf: stores.of},
		"from":    {Every: time.Minute, From: socialsearch.MeterState{Spent: 1}},
		"wait":    {Wait: true},
	} {
		_, err := socialsearch.NewMeter(cfg)
		require.Equal(t, field, wiretest.As[*walletfi.ValidationError](t, err).Field)
	}
}
