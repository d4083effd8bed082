package amm_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// walk reads all pools from pages; the last page is served for ever.
func walk(t *testing.T, req amm.PoolsRequest, pages ...string) (pools []string, targets []string, err error) {
	t.Helper()
	c, wire := carried(t, amm.Config{Pause: new(time.Duration(0)), Options: once}, func(n int, _ sent) (int, string) {
		if page := pages[min(n, len(pages))-1]; page != "" {
			return 200, `{"success":true,"data":` + page + `}`
		}
		return 500, ``
	})
	for pool, problem := range c.AllPools(t.Context(), req) {
		if problem != nil {
			err = problem
			continue
		}
		pools = append(pools, pool.String())
	}
	for _, s := range wire.Seen {
		targets = append(targets, s.Target)
	}
	return pools, targets, err
}

func TestAllPools(t *testing.T) {
	for name, row := range map[string]struct {
		req     amm.PoolsRequest
		pages   []string
		pools   []string
		targets []string
		err     error
	}{
		"to the empty page": {
			amm.PoolsRequest{Limit: new(2)}, []string{`[1,2]`, `{"data":[3]}`, `{"data":[]}`}, []string{"1", "2", "3"},
			[]string{"/api/pools/info/list?page=1&pageSize=2", "/api/pools/info/list?page=2&pageSize=2", "/api/pools/info/list?page=3&pageSize=2"}, nil,
		},
		"from a page on":                {amm.PoolsRequest{Page: new(7)}, []string{`[1]`, `null`}, []string{"1"}, []string{"/api/pools/info/list?page=7", "/api/pools/info/list?page=8"}, nil},
		"a service that knows one page": {amm.PoolsRequest{}, []string{`[1]`}, []string{"1"}, []string{"/api/pools/info/list?page=1", "/api/pools/info/list?page=2"}, nil},
		"no list":                       {amm.PoolsRequest{}, []string{`{"P1":{}}`}, nil, []string{"/api/pools/info/list?page=1"}, walletfi.ErrDecode},
		"an error":                      {amm.PoolsRequest{}, []string{`[1]`, ``}, []string{"1"}, []string{"/api/pools/info/list?page=1", "/api/pools/info/list?page=2"}, walletfi.ErrUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			pools, targets, err := walk(t, row.req, row.pages...)
			require.Equal(t, row.pools, pools)
			require.Equal(t, row.targets, targets)
			require.ErrorIs(t, err, row.err)
		})
	}
}

func TestAllPoolsStopsWithTheLoop(t *testing.T) {
	c, wire := carried(t, amm.Config{}, func(int, sent) (int, string) { return 200, `{"success":true,"data":[1,2]}` })
	for pool, err := range wiretest.Some(t, c.AllPools(t.Context(), amm.PoolsRequest{})) {
		require.NoError(t, err)
		require.Equal(t, "1", pool.String())
		break
	}
	require.Len(t, wire.Seen, 1)
}
