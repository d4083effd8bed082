package onchaindata_test

import (
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/onchaindata"
)

// listServer has n records in pages of 20.
func listServer(t *testing.T, n int) *wiretest.Server {
	return wiretest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		page, err := strconv.Atoi(r.URL.Query().Get("page"))
		if err != nil {
			page = 1
		}
		var records []string
		for i := (page - 1) * onchaindata.PageSize; i < min(n, page*onchaindata.PageSize); i++ {
			records = append(records, fmt.Sprintf(`{"id":"r%d","type":"x","attributes":{"address":"r",%s}}`, i, poolNumbers))
		}
		io.WriteString(w, `{"data":[`+strings.Join(records, ",")+`]}`)
	})
}

// ids makes any of the iterators one of ids.
func ids[T any](seq iter.Seq2[T, error], id func(T) string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for record, err := range seq {
			if !yield(id(record), err) {
				return
			}
		}
	}
}

func poolIDs(seq iter.Seq2[onchaindata.Pool, error]) iter.Seq2[string, error] {
	return ids(seq, func(p onchaindata.Pool) string { return p.ID })
}

// lists are the iterators over pages, and the path of each.
var lists = []struct {
	name, path string
	all        func(ctx context.Context, c *onchaindata.Client, page *int) iter.Seq2[string, error]
	short      bool // a page that is not full is the last
}{
	{name: "AllTopPools", path: "/networks/n/pools", all: func(ctx context.Context, c *onchaindata.Client, page *int) iter.Seq2[string, error] {
		return poolIDs(c.AllTopPools(ctx, "n", onchaindata.TopPoolsRequest{Page: page}))
	}},
	{name: "AllTrendingPools", path: "/networks/trending_pools", all: func(ctx context.Context, c *onchaindata.Client, page *int) iter.Seq2[string, error] {
		return poolIDs(c.AllTrendingPools(ctx, onchaindata.TrendingPoolsRequest{Page: page}))
	}},
	{name: "AllNetworkTrendingPools", path: "/networks/n/trending_pools", all: func(ctx context.Context, c *onchaindata.Client, page *int) iter.Seq2[string, error] {
		return poolIDs(c.AllNetworkTrendingPools(ctx, "n", onchaindata.TrendingPoolsRequest{Page: page}))
	}},
	{name: "AllNewPools", path: "/networks/n/new_pools", short: true, all: func(ctx context.Context, c *onchaindata.Client, page *int) iter.Seq2[string, error] {
		return poolIDs(c.AllNewPools(ctx, "n", onchaindata.NewPoolsRequest{Page: page}))
	}},
	{name: "AllSearchPools", path: "/search/pools", all: func(ctx context.Context, c *onchaindata.Client, page *int) iter.Seq2[string, error] {
		return poolIDs(c.AllSearchPools(ctx, onchaindata.SearchPoolsRequest{Page: page}))
	}},
	{name: "AllFilterPools", path: "/pools/megafilter", all: func(ctx context.Context, c *onchaindata.Client, page *int) iter.Seq2[string, error] {
		return poolIDs(c.AllFilterPools(ctx, onchaindata.FilterPoolsRequest{Page: page}))
	}},
	{name: "AllDEXes", path: "/networks/n/dexes", all: func(ctx context.Context, c *onchaindata.Client, page *int) iter.Seq2[string, error] {
		return ids(c.AllDEXes(ctx, "n", onchaindata.DEXesRequest{Page: page}), func(d onchaindata.DEX) string { return d.ID })
	}},
	{name: "AllNetworks", path: "/networks", short: true, all: func(ctx context.Context, c *onchaindata.Client, page *int) iter.Seq2[string, error] {
		return ids(c.AllNetworks(ctx, onchaindata.NetworksRequest{Page: page}), func(n onchaindata.Network) string { return n.ID })
	}},
}

// TestPages: how many records come, over how many requests, and how it ends.
func TestPages(t *testing.T) {
	for _, row := range []struct {
		name     string
		tier     onchaindata.Tier
		n, start int
		want     int
		requests int
		short    int // requests where a page that is not full is the last
		capped   int // the page that the error names, 0 for none
	}{
		{"nothing", "", 0, 0, 0, 1, 1, 0},
		{"less than a page", "", 7, 0, 7, 2, 1, 0},
		{"two full pages", "", 40, 0, 40, 3, 3, 0},
		{"from a page on", "", 45, 2, 25, 3, 2, 0},
		{"all that demo gives, full", "", 200, 0, 200, 10, 10, 11},
		{"more than demo gives", onchaindata.TierDemo, 500, 0, 200, 10, 10, 11},
		{"just less than demo gives", "", 199, 0, 199, 10, 10, 0},
		{"the last page of demo", "", 500, 10, 20, 1, 1, 11},
		{"beyond demo", "", 500, 11, 0, 0, 0, 11},
		{"far beyond demo", "", 500, 99, 0, 0, 0, 99},
		{"pro", onchaindata.TierPro, 500, 0, 500, 26, 26, 0},
		{"pro, from page 20 on", onchaindata.TierPro, 500, 20, 120, 7, 7, 0},
	} {
		for _, list := range lists {
			t.Run(row.name+"/"+list.name, func(t *testing.T) {
				server := listServer(t, row.n)
				var start *int // 0 states none
				if row.start != 0 {
					start = &row.start
				}
				count, first := 0, max(row.start-1, 0)*onchaindata.PageSize
				var failure error
				for id, err := range list.all(t.Context(), client(t, server.URL, row.tier), start) {
					require.NoError(t, failure, "an error is the last")
					if failure = err; err == nil {
						require.Equal(t, fmt.Sprintf("r%d", first+count), id)
						count++
					}
				}
				require.Equal(t, row.want, count)
				requests := row.requests
				if list.short {
					requests = row.short
				}
				require.Len(t, server.Requests(), requests)
				if row.capped == 0 {
					require.NoError(t, failure)
				} else {
					e := wiretest.As[*onchaindata.PageCapError](t, failure)
					require.Equal(t, &onchaindata.PageCapError{Page: row.capped, Cap: 10}, e)
					require.ErrorIs(t, failure, walletfi.ErrInvalidRequest)
					require.Equal(t, []string{"page"}, wiretest.Fields(failure))
				}
				if requests > 0 {
					target, err := url.Parse(server.Requests()[0].Target)
					require.NoError(t, err)
					require.Equal(t, prefix+list.path, target.Path)
					require.Equal(t, row.start != 0, target.Query().Has("page"), "the first page needs no number")
				}
			})
		}
	}
}

// TestPagesAnew: an iterator starts over each time, and stops when told to.
func TestPagesAnew(t *testing.T) {
	server := listServer(t, 30)
	seq := client(t, server.URL, "").AllTopPools(t.Context(), "n", onchaindata.TopPoolsRequest{})
	for range 2 {
		n := 0
		for _, err := range seq {
			require.NoError(t, err)
			if n++; n == 25 {
				break
			}
		}
		require.Equal(t, 25, n)
	}
	require.Len(t, server.Requests(), 4)
}

// TestPagesIgnored: a service that gives the same page whatever the number does
// not hold an iterator for ever.
func TestPagesIgnored(t *testing.T) {
	var all []string
	for i := range 20 {
		all = append(all, fmt.Sprintf(`{"id":"a%d","attributes":{"address":"a",`, i)+poolNumbers+`}}`)
	}
	body := `{"data":[` + strings.Join(all, ",") + `]}`
	server := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, body) })
	for _, list := range lists {
		n := 0
		for _, err := range list.all(t.Context(), client(t, server.URL, onchaindata.TierPro), nil) {
			require.NoError(t, err)
			n++
		}
		require.Equal(t, 20, n, list.name)
	}
}

func TestPagesFail(t *testing.T) {
	c, wire := carriedClient(t, onchaindata.Config{}, answer{Status: 200, Body: `{"data":[{"id":"a"}]}`}, answer{Status: 404})
	var last error
	n := 0
	for _, err := range c.AllTopPools(t.Context(), "solana", onchaindata.TopPoolsRequest{}) {
		last = err
		n++
	}
	require.ErrorIs(t, last, walletfi.ErrNotFound)
	require.Equal(t, 2, n)
	require.Len(t, wire.Seen, 2)
	for _, err := range wiretest.Some(t, c.AllTopPools(t.Context(), "solana", onchaindata.TopPoolsRequest{Page: new(-1)})) {
		wiretest.Refused(t, err, "page")
	}
	require.Len(t, wire.Seen, 2)
}

// TestPagesCopy: what the caller does to its request afterwards changes nothing.
func TestPagesCopy(t *testing.T) {
	server := listServer(t, 20)
	c := client(t, server.URL, "")
	include, query := []onchaindata.PoolInclude{"dex"}, "sol"
	transactions, networks := 5, []string{"solana"}
	found := c.AllSearchPools(t.Context(), onchaindata.SearchPoolsRequest{Query: &query, Include: include})
	filtered := c.AllFilterPools(t.Context(), onchaindata.FilterPoolsRequest{Networks: networks, MinTransactions24h: &transactions})
	include[0], query, transactions, networks[0] = "base_token", "eth", 6, "eth"
	for _, seq := range []iter.Seq2[onchaindata.Pool, error]{found, filtered} {
		for _, err := range seq {
			require.NoError(t, err)
			break
		}
	}
	seen := server.Requests()
	require.Equal(t, prefix+"/search/pools?include=dex&query=sol", seen[0].Target)
	require.Equal(t, prefix+"/pools/megafilter?min_h24_tx_count=5&networks=solana", seen[1].Target)
}

// TestPageCap: a single page beyond the cap is refused the same way.
func TestPageCap(t *testing.T) {
	_, err := unreachable(t, "").ListTopPools(t.Context(), "n", onchaindata.TopPoolsRequest{Page: new(11)})
	e := wiretest.As[*onchaindata.PageCapError](t, err)
	require.EqualError(t, e, "invalid request: page: is 11, the tier gives no more than 10")
	server := listServer(t, 500)
	page, err := client(t, server.URL, onchaindata.TierPro).ListTopPools(t.Context(), "n", onchaindata.TopPoolsRequest{Page: new(11)})
	require.NoError(t, err)
	require.Equal(t, "r200", page.Items[0].ID)
}
