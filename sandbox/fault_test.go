package sandbox

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func (s *started) tryPools(t *testing.T) (answer, error) {
	t.Helper()
	return s.try(t, s.URL(Lending), Lending, "GET", "/v1/pools", nil)
}

func TestFaults(t *testing.T) {
	pools := Route{Lending, "GET", "/v1/pools"}
	for _, test := range []struct {
		name  string
		fault Fault
		check func(t *testing.T, a answer, err error)
	}{
		{"status in the service's envelope", Fault{Status: 503}, func(t *testing.T, a answer, err error) {
			require.NoError(t, err)
			assert.Equal(t, 503, a.Status)
			assert.Equal(t, "INTERNAL_ERROR", a.text("error", "code"))
		}},
		{"body and header", Fault{Status: 429, Body: []byte("slow down"), Header: map[string][]string{"retry-after": {"7"}}}, func(t *testing.T, a answer, err error) {
			require.NoError(t, err)
			assert.Equal(t, 429, a.Status)
			assert.Equal(t, "slow down", string(a.Raw))
			assert.Equal(t, "7", a.Header.Get("Retry-After"))
		}},
		{"body alone", Fault{Body: []byte(`{"pools":[]}`)}, func(t *testing.T, a answer, err error) {
			require.NoError(t, err)
			assert.Equal(t, 200, a.Status)
			assert.Equal(t, `{"pools":[]}`, string(a.Raw))
		}},
		{"reset", Fault{Reset: true}, func(t *testing.T, _ answer, err error) { assert.Error(t, err) }},
		{"truncated", Fault{Truncate: 10}, func(t *testing.T, a answer, err error) {
			assert.Equal(t, 200, a.Status, "the header came through")
			assert.Error(t, err, "the length that was promised did not")
		}},
		{"garbage", Fault{Garbage: true}, func(t *testing.T, a answer, err error) {
			require.NoError(t, err)
			assert.Equal(t, 200, a.Status)
			assert.Nil(t, a.JSON)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := start(t, Config{ManualClock: true})
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
	s := start(t, Config{ManualClock: true})
	remove := s.Fault(Route{Service: Lending, Method: "GET"}, Fault{Status: 500})
	for range 3 {
		a, err := s.tryPools(t)
		require.NoError(t, err)
		assert.Equal(t, 500, a.Status)
	}
	post := s.do(t, Lending, "POST", "/v1/referrer/claim", map[string]string{"referrer": s.WalletAddress()})
	assert.Equal(t, 404, post.Status, "another method")
	remove()
	a, err := s.tryPools(t)
	require.NoError(t, err)
	assert.Equal(t, 200, a.Status)
}

// counted is a service of one route that counts how often it was carried out.
func counted(t *testing.T, s *started) (*host, *int) {
	t.Helper()
	n := new(int)
	v := &service{name: "counted", auth: auth{demand: optional}, envelope: plainEnvelope, routes: []route{{
		method: "POST", path: "/n", endpoint: handle(func(*call, nothing) (int, error) { *n++; return *n, nil }),
	}}}
	s.mu.Lock()
	defer s.mu.Unlock()
	require.NoError(t, s.openHost(v, ""))
	return s.hosts[hostName{"counted", ""}], n
}

func TestHandledFaultsLoseOnlyTheAnswer(t *testing.T) {
	for _, test := range []struct {
		name    string
		fault   Fault
		handled int
	}{
		{"reset before", Fault{Reset: true, Times: 1}, 0},
		{"reset after", Fault{Reset: true, Handled: true, Times: 1}, 1},
		{"status before", Fault{Status: 500, Times: 1}, 0},
		{"status after", Fault{Status: 500, Handled: true, Times: 1}, 1},
		{"garbage", Fault{Garbage: true, Times: 1}, 1},
		{"truncated", Fault{Truncate: 1, Times: 1}, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := start(t, Config{ManualClock: true})
			h, n := counted(t, s)
			s.Fault(Route{Service: "counted"}, test.fault)
			s.try(t, "http://"+h.address(), AMM, "POST", "/n", nil)
			s.mu.Lock()
			defer s.mu.Unlock()
			assert.Equal(t, test.handled, *n)
		})
	}
}

func TestFaultDelayEndsWhenTheCallerLeaves(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	h, n := counted(t, s)
	s.Fault(Route{Service: "counted"}, Fault{Delay: time.Hour})
	s.client.Timeout = 30 * time.Millisecond
	_, err := s.try(t, "http://"+h.address(), AMM, "POST", "/n", nil)
	require.Error(t, err)
	s.Close() // would hang on a request that still waits
	assert.Zero(t, *n)
}

func TestDateIsTheSandboxes(t *testing.T) {
	s := start(t, Config{ManualClock: true})
	s.Advance(time.Hour)
	a, err := s.tryPools(t)
	require.NoError(t, err)
	assert.Equal(t, "Thu, 01 Jan 2026 01:00:00 GMT", a.Header.Get("Date"))
}
