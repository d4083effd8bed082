package lending_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
)

// firstEvent is when the first of its events was.
const firstEvent = 1767225600

// historian serves a history of so many events, with at most most events per page.
func historian(t testing.TB, events, most int, tellTotal bool) *wiretest.Server {
	t.Helper()
	return wiretest.Serve(t, func(w http.ResponseWriter, r *http.Request) {
		offset, _ := strconv.Atoi(r.URL.Query().Get("offset"))
		limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
		if limit == 0 {
			limit = 50
		}
		var page []string
		for i := offset; i < min(events, offset+min(limit, most)); i++ {
			page = append(page, fmt.Sprintf(`{"type":"deposit","timestamp":%d,"mint":"M1111111111111111111111111111111","amount":%d,
				"depositType":"regular","signature":%q}`, firstEvent+i, i, strings.ReplaceAll(fmt.Sprintf("S%063d", i), "0", "z")))
		}
		total := 0 // which on a page with events says nothing
		if tellTotal {
			total = events
		}
		fmt.Fprintf(w, `{"events":[%s],"total":%d}`, strings.Join(page, ","), total)
	})
}

// queries returns the queries of the requests that a server got, without the
// type.
func queries(t testing.TB, server *wiretest.Server) string {
	t.Helper()
	var all []string
	for _, r := range server.Requests() {
		u, err := url.Parse(r.Target)
		require.NoError(t, err)
		require.Equal(t, "/v1/account/W1111111111111111111111111111111/history", u.Path)
		all = append(all, u.RawQuery)
	}
	return strings.Join(all, " ")
}

func TestAllHistory(t *testing.T) {
	for name, row := range map[string]struct {
		events, most int
		total        bool
		req          lending.HistoryRequest
		first, count int
		asked        string
	}{
		"none":                        {0, 50, true, lending.HistoryRequest{}, 0, 0, ""},
		"one page":                    {3, 50, true, lending.HistoryRequest{Limit: new(5)}, 0, 3, "limit=5"},
		"pages to the total":          {5, 50, true, lending.HistoryRequest{Limit: new(2)}, 0, 5, "limit=2 limit=2&offset=2 limit=2&offset=4"},
		"pages to an empty one":       {4, 50, false, lending.HistoryRequest{Limit: new(2)}, 0, 4, "limit=2 limit=2&offset=2 limit=2&offset=4"},
		"the default limit":           {60, 50, true, lending.HistoryRequest{}, 0, 60, " offset=50"},
		"fewer a page than asked for": {5, 2, true, lending.HistoryRequest{Limit: new(100)}, 0, 5, "limit=100 limit=100&offset=2 limit=100&offset=4"},
		"from an offset on":           {5, 50, true, lending.HistoryRequest{Limit: new(2), Offset: new(3), Type: lending.EventDeposit}, 3, 2, "limit=2&offset=3&type=deposit"},
		"from beyond the end":         {5, 50, true, lending.HistoryRequest{Limit: new(2), Offset: new(9)}, 9, 0, "limit=2&offset=9"},
	} {
		t.Run(name, func(t *testing.T) {
			server := historian(t, row.events, row.most, row.total)
			req := row.req
			next := row.first
			for event, err := range client(t, server.URL).AllHistory(t.Context(), "W1111111111111111111111111111111", req) {
				require.NoError(t, err)
				require.Equal(t, walletfi.Amount(next), event.Amount)
				require.Equal(t, unix(int64(firstEvent+next)), event.Timestamp)
				next++
			}
			require.Equal(t, row.count, next-row.first)
			require.Equal(t, row.asked, queries(t, server))
			require.Equal(t, row.req, req, "the caller's request stays as it is")
		})
	}
}

func TestAllHistoryStops(t *testing.T) {
	t.Run("at the caller's break", func(t *testing.T) {
		server := historian(t, 9, 50, true)
		for range client(t, server.URL).AllHistory(t.Context(), "W1111111111111111111111111111111", lending.HistoryRequest{Limit: new(2)}) {
			break
		}
		require.Len(t, server.Requests(), 1)
	})
	t.Run("at the first error", func(t *testing.T) {
		c, wire := carriedClient(t, "", walletfi.Options{Retry: walletfi.RetryPolicy{MaxRetries: new(0)}},
			answer{Status: 200, Body: `{"events":[{"type":"withdraw","timestamp":1767225600}],"total":9}`}, answer{Err: errors.New("connection reset")})
		var events, failures int
		for _, err := range c.AllHistory(t.Context(), "W1111111111111111111111111111111", lending.HistoryRequest{}) {
			if err != nil {
				failures++
				require.ErrorIs(t, err, walletfi.ErrUnavailable)
				continue
			}
			events++
		}
		require.Equal(t, [2]int{1, 1}, [2]int{events, failures})
		require.Len(t, wire.Seen, 2)
	})
	t.Run("before anything is sent", func(t *testing.T) {
		n := 0
		for _, err := range unreachable(t).AllHistory(t.Context(), "W1111111111111111111111111111111", lending.HistoryRequest{Limit: new(-1)}) {
			n++
			wiretest.Refused(t, err, "limit")
		}
		require.Equal(t, 1, n)
	})
	t.Run("and starts anew", func(t *testing.T) {
		server := historian(t, 3, 50, true)
		all := client(t, server.URL).AllHistory(t.Context(), "W1111111111111111111111111111111", lending.HistoryRequest{Limit: new(2)})
		for range 2 {
			count := 0
			for range all {
				count++
			}
			require.Equal(t, 3, count)
		}
		require.Equal(t, "limit=2 limit=2&offset=2 limit=2 limit=2&offset=2", queries(t, server))
	})
}
