package kit_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func (s *started) tryPools(t *testing.T) (answer, error) {
	t.Helper()
	return s.Try(t, s.URL(play.Lending), play.Lending, "GET", "/v1/pools", nil)
}

func TestFaults(t *testing.T) {
	pools := play.Route{Service: play.Lending, Method: "GET", Pattern: "/v1/pools"}
	for _, test := range []struct {
		name  string
		fault play.Fault
		check func(t *testing.T, a answer, err error)
	}{
		{"status in the service's envelope", play.Fault{Status: 503}, func(t *testing.T, a answer, err error) {
			require.NoError(t, err)
			assert.Equal(t, 503, a.Status)
			assert.Equal(t, "INTERNAL_ERROR", a.Text("error", "code"))
		}},
		{"body and header", play.Fault{Status: 429, Body: []byte("slow down"), Header: map[string][]string{"retry-after": {"7"}}}, func(t *testing.T, a answer, err error) {
			require.NoError(t, err)
			assert.Equal(t, 429, a.Status)
			assert.Equal(t, "slow down", string(a.Raw))
			assert.Equal(t, "7", a.Header.Get("Retry-After"))
		}},
		{"body alone", play.Fault{Body: []byte(`{"pools":[]}`)}, func(t *testing.T, a answer, err error) {
			require.NoError(t, err)
			assert.Equal(t, 200, a.Status)
			assert.Equal(t, `{"pools":[]}`, string(a.Raw))
		}},
		{"reset", play.Fault{Reset: true}, func(t *testing.T, _ answer, err error) { assert.Error(t, err) }},
		{"truncated", play.Fault{Truncate: 10}, func(t *testing.T, a answer, err error) {
			assert.Equal(t, 200, a.Status, "the header came through")
			assert.Error(t, err, "the length that was promised did not")
		}},
		{"garbage", play.Fault{Garbage: true}, func(t *testing.T, a answer, err error) {
			require.NoError(t, err)
			assert.Equal(t, 200, a.Status)
			assert.Nil(t, a.JSON)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := start(t, play.Config{ManualClock: true})
			test.fault.After, test.fault.Times = 1, 1
			s.Fault(pools, test.fault)
			before, err := s.tryPools(t)
			require.NoError(t, err)
			require.Equal(t, 200, before.Status, "skipped")
			a, err := s.tryPools(t)
			test.check(t, a, err)
			after, err := s.tryPools(t)
			require.NoError(t, err)
			assert.Equal(t, 200, after.Status, "only so many times")
			assert.Equal(t, 3, s.Hits()[pools])
		})
	}
}

func TestFaultMatchesAndIsRemoved(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	remove := s.Fault(play.Route{Service: play.Lending, Method: "GET"}, play.Fault{Status: 500})
	for range 3 {
		a, err := s.tryPools(t)
		require.NoError(t, err)
		assert.Equal(t, 500, a.Status)
	}
	post := s.Do(t, play.Lending, "POST", "/v1/referrer/claim", map[string]string{"referrer": s.WalletAddress()})
	assert.Equal(t, 404, post.Status, "another method")
	remove()
	a, err := s.tryPools(t)
	require.NoError(t, err)
	assert.Equal(t, 200, a.Status)
}

// counted is a service of one route that counts how often it was carried out.
func counted(t *testing.T, s *started) (url string, handled *int) {
	t.Helper()
	n := new(int)
	v := &kit.Spec{Name: "counted", Auth: kit.Auth{Demand: kit.Optional}, Envelope: kit.PlainEnvelope, Routes: []kit.Route{{
		Method: "POST", Path: "/n", Endpoint: kit.Handle(func(*kit.Call, kit.Nothing) int { *n++; return *n }),
	}}}
	s.Lock()
	err := s.Serve(v)
	s.Unlock()
	require.NoError(t, err)
	return s.URL("counted"), n
}

func TestHandledFaultsLoseOnlyTheAnswer(t *testing.T) {
	for _, test := range []struct {
		name    string
		fault   play.Fault
		handled int
	}{
		{"reset before", play.Fault{Reset: true, Times: 1}, 0},
		{"reset after", play.Fault{Reset: true, Handled: true, Times: 1}, 1},
		{"status before", play.Fault{Status: 500, Times: 1}, 0},
		{"status after", play.Fault{Status: 500, Handled: true, Times: 1}, 1},
		{"garbage", play.Fault{Garbage: true, Times: 1}, 1},
		{"truncated", play.Fault{Truncate: 1, Times: 1}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := start(t, play.Config{ManualClock: true})
			url, n := counted(t, s)
			s.Fault(play.Route{Service: "counted"}, test.fault)
			s.Try(t, url, play.AMM, "POST", "/n", nil)
			s.Lock()
			defer s.Unlock()
			assert.Equal(t, test.handled, *n)
		})
	}
}

func TestFaultDelayEndsWhenTheCallerLeaves(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	url, n := counted(t, s)
	s.Fault(play.Route{Service: "counted"}, play.Fault{Delay: time.Hour})
	s.Client.Timeout = 30 * time.Millisecond
	_, err := s.Try(t, url, play.AMM, "POST", "/n", nil)
	require.Error(t, err)
	s.Close() // would hang on a request that still waits
	assert.Zero(t, *n)
}

func TestDateIsTheSandboxes(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	s.Advance(time.Hour)
	a, err := s.tryPools(t)
	require.NoError(t, err)
	assert.Equal(t, "Thu, 01 Jan 2026 01:00:00 GMT", a.Header.Get("Date"))
}

// TestLies: the answer is JSON, and wrong in the member that was named, in each record.
func TestLies(t *testing.T) {
	told := map[play.Lie]bool{}
	for _, test := range []struct {
		lie    play.Lie
		member string
		check  func(t *testing.T, pool map[string]any, raw string)
	}{
		{play.LieMissing, "pools.*.decimals", func(t *testing.T, pool map[string]any, _ string) {
			assert.NotContains(t, pool, "decimals")
		}},
		{play.LieNull, "pools.*.decimals", func(t *testing.T, pool map[string]any, _ string) {
			assert.Contains(t, pool, "decimals")
			assert.Nil(t, pool["decimals"])
		}},
		{play.LieKind, "pools.*.decimals", func(t *testing.T, pool map[string]any, _ string) {
			assert.IsType(t, map[string]any{}, pool["decimals"])
		}},
		{play.LieKind, "pools.*.protocols", func(t *testing.T, pool map[string]any, _ string) {
			assert.Equal(t, "!!!", pool["protocols"])
		}},
		{play.LieGarbage, "pools.*.mint", func(t *testing.T, pool map[string]any, _ string) {
			assert.Equal(t, "!!!", pool["mint"])
		}},
		{play.LieRange, "pools.*.decimals", func(t *testing.T, _ map[string]any, raw string) {
			assert.Contains(t, raw, `"decimals":-1e9999`)
		}},
		{play.LieLong, "pools.*.decimals", func(t *testing.T, _ map[string]any, raw string) {
			assert.Regexp(t, `"decimals":9{1000}9{1000}[,}]`, raw)
		}},
		{play.LieZero, "pools.*.decimals", func(t *testing.T, pool map[string]any, _ string) {
			assert.EqualValues(t, 0, pool["decimals"])
		}},
		{play.LieRepeated, "pools.*.symbol", func(t *testing.T, _ map[string]any, raw string) {
			assert.Regexp(t, `"symbol":"USDB",.*"symbol":"USDC"`, raw)
		}},
		{play.LieOther, "pools.*.symbol", func(t *testing.T, pool map[string]any, _ string) {
			assert.Equal(t, "USDB", pool["symbol"])
		}},
		{play.LieOther, "pools", func(t *testing.T, pool map[string]any, _ string) {
			assert.Equal(t, "USDB", pool["symbol"])
		}},
		{play.LieFailure, "", func(t *testing.T, pool map[string]any, raw string) {
			assert.Equal(t, "USDC", pool["symbol"])
			assert.True(t, strings.HasPrefix(raw, `{"success":false,"error":{`), raw)
		}},
		{play.LieMissing, "pools.*.nothing", func(t *testing.T, pool map[string]any, _ string) {
			assert.Equal(t, "USDC", pool["symbol"])
		}},
	} {
		told[test.lie] = true
		t.Run(string(test.lie)+" "+test.member, func(t *testing.T) {
			s := start(t, play.Config{ManualClock: true})
			s.Fault(play.Route{Service: play.Lending}, play.Fault{Lie: test.lie, Member: test.member})
			a, err := s.tryPools(t)
			require.NoError(t, err)
			require.Equal(t, 200, a.Status)
			require.True(t, json.Valid(a.Raw) || test.lie == play.LieRange, "%s", a.Raw)
			var body struct {
				Pools []map[string]any `json:"pools"`
			}
			if test.lie != play.LieRange && test.lie != play.LieLong { // which encoding/json does not read into any
				require.NoError(t, json.Unmarshal(a.Raw, &body))
				require.NotEmpty(t, body.Pools)
				test.check(t, body.Pools[0], string(a.Raw))
				return
			}
			test.check(t, nil, string(a.Raw))
		})
	}
	for _, lie := range play.Lies() {
		assert.True(t, told[lie], lie)
	}
}
