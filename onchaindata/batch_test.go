package onchaindata_test

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/onchaindata"
)

func addresses(n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("T%03d", i)
	}
	return list
}

// tokenServer knows every address but those in gone, answers in reverse order,
// and fails a request that names one in failing.
type tokenServer struct {
	mu    sync.Mutex
	sizes []int
}

func (s *tokenServer) handler(gone, failing []string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		asked := strings.Split(r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:], ",")
		s.mu.Lock()
		s.sizes = append(s.sizes, len(asked))
		s.mu.Unlock()
		slices.Reverse(asked)
		var records []string
		for _, a := range asked {
			if slices.Contains(failing, a) {
				w.WriteHeader(http.StatusNotFound)
				return
			}
			if !slices.Contains(gone, a) {
				records = append(records, fmt.Sprintf(`{"id":"solana_%s","type":"token","attributes":{"address":%q}}`, a, a))
			}
		}
		io.WriteString(w, `{"data":[`+strings.Join(records, ",")+`]}`)
	}
}

func found(batch *onchaindata.TokenBatch) []string {
	var list []string
	for _, token := range batch.Tokens {
		list = append(list, token.Address)
	}
	return list
}

// TestTokensSplit: 30 a request on demo, 50 on pro, merged in order.
func TestTokensSplit(t *testing.T) {
	for _, row := range []struct {
		tier  onchaindata.Tier
		n     int
		sizes []int
	}{
		{onchaindata.TierDemo, 1, []int{1}}, {onchaindata.TierDemo, 30, []int{30}}, {onchaindata.TierDemo, 31, []int{1, 30}},
		{onchaindata.TierDemo, 100, []int{10, 30, 30, 30}}, {onchaindata.TierPro, 50, []int{50}}, {onchaindata.TierPro, 51, []int{1, 50}},
		{onchaindata.TierPro, 151, []int{1, 50, 50, 50}},
	} {
		service := &tokenServer{}
		server := wiretest.Serve(t, service.handler([]string{"T000", "T030", "T150"}, nil))
		asked := addresses(row.n)
		batch, err := client(t, server.URL, row.tier).GetTokens(t.Context(), "solana", append(asked, asked...), onchaindata.TokensRequest{})
		require.NoError(t, err)
		slices.Sort(service.sizes)
		require.Equal(t, row.sizes, service.sizes)
		isGone := func(a string) bool { return a == "T000" || a == "T030" || a == "T150" }
		want := slices.DeleteFunc(slices.Clone(asked), isGone)
		require.Equal(t, slices.Concat(want, want), found(batch))
		gone := slices.DeleteFunc(slices.Clone(asked), func(a string) bool { return !isGone(a) })
		require.Equal(t, slices.Concat(gone, gone), batch.NotFound)
		require.Empty(t, batch.Unasked)
	}
}

// TestTokensPartly: a part that fails takes nothing from the others, and what
// it was asked for is not called absent.
func TestTokensPartly(t *testing.T) {
	service := &tokenServer{}
	server := wiretest.Serve(t, service.handler([]string{"T001", "T031"}, []string{"T030"}))
	asked := addresses(65)
	batch, err := client(t, server.URL, onchaindata.TierDemo).GetTokens(t.Context(), "solana", asked, onchaindata.TokensRequest{})
	partly := wiretest.As[*walletfi.PartialError](t, err)
	require.ErrorIs(t, err, walletfi.ErrNotFound)
	require.Equal(t, 35, partly.Done)
	require.Equal(t, 65, partly.Total)
	require.Equal(t, 30, partly.First)
	require.Equal(t, []string{"T001"}, batch.NotFound)
	require.Equal(t, slices.Concat(asked[:1], asked[2:30], asked[60:]), found(batch))
}

func TestTokensFail(t *testing.T) {
	server := wiretest.Serve(t, (&tokenServer{}).handler(nil, []string{"T000"}))
	batch, err := client(t, server.URL, onchaindata.TierDemo).GetTokens(t.Context(), "solana", addresses(2), onchaindata.TokensRequest{})
	require.ErrorIs(t, err, walletfi.ErrNotFound)
	require.Nil(t, batch)
	_, is := err.(*walletfi.PartialError)
	require.False(t, is)
}

// TestUncapped: the multi routes without a documented cap are not split.
func TestUncapped(t *testing.T) {
	server := serving(t, 200, `{"data":[]}`)
	server2 := wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) {
		io.WriteString(w, `{"data":{"id":"p","attributes":{"token_prices":{}}}}`)
	})
	asked := addresses(200)
	batch, err := client(t, server.URL, "").GetPools(t.Context(), "solana", asked, onchaindata.PoolsRequest{})
	require.NoError(t, err)
	require.Equal(t, asked, batch.NotFound)
	_, err = client(t, server2.URL, "").GetTokenPrices(t.Context(), "solana", asked, onchaindata.TokenPricesRequest{})
	require.NoError(t, err)
	for _, s := range []*wiretest.Server{server, server2} {
		require.Len(t, s.Requests(), 1)
		require.True(t, strings.HasSuffix(s.Requests()[0].Target, "/"+strings.Join(asked, ",")))
	}
}

// TestTwoPrices: of two prices of one token neither is taken.
func TestTwoPrices(t *testing.T) {
	for _, prices := range []string{`{"a":"1","a":"2"}`, `{"a":"1","\u0061":"2"}`} {
		server := serving(t, 200, `{"data":{"id":"p","attributes":{"token_prices":`+prices+`}}}`)
		_, err := client(t, server.URL, "").GetTokenPrices(t.Context(), "solana", []string{"a"}, onchaindata.TokenPricesRequest{})
		require.ErrorIs(t, err, walletfi.ErrDecode, prices)
	}
	server := serving(t, 200, `{"data":{"id":"p","attributes":{"token_prices":{"0xAb":"1","0xaB":"2","0xc":"3"}}}}`)
	p, err := client(t, server.URL, "").GetTokenPrices(t.Context(), "eth", []string{"0xab", "0xC"}, onchaindata.TokenPricesRequest{})
	require.NoError(t, err)
	_, found := p.For("0xab")
	require.False(t, found, "two spellings of one address")
	price, found := p.For("0xC")
	require.True(t, found)
	require.Equal(t, "3", price.PriceUSD.String())
}

// TestTokensRaw: several answers do not race for one place.
func TestTokensRaw(t *testing.T) {
	server := wiretest.Serve(t, (&tokenServer{}).handler(nil, nil))
	var raw walletfi.RawResponse
	batch, err := client(t, server.URL, "").GetTokens(t.Context(), "solana", addresses(91), onchaindata.TokensRequest{}, walletfi.WithRawResponse(&raw))
	require.NoError(t, err)
	require.Len(t, batch.Tokens, 91)
	require.Equal(t, `{"data":[{"id":"solana_T090","type":"token","attributes":{"address":"T090"}}]}`, string(raw.Body))
}

// TestUnasked: a record that was not asked for is an error beside the others.
func TestUnasked(t *testing.T) {
	const body = `{"data":[{"id":"eth_a","attributes":{"address":"0xAA",` + poolNumbers + `}},{"id":"eth_c","attributes":{"address":"0xcc",` + poolNumbers + `}}]}`
	c, _ := carriedClient(t, onchaindata.Config{}, answer{Status: 200, Body: body}, answer{Status: 200, Body: body})
	asked := []string{"0xaa", "0xdd"}
	pools, err := c.GetPools(t.Context(), "eth", asked, onchaindata.PoolsRequest{})
	require.Equal(t, "0xcc", wiretest.As[*walletfi.MismatchError](t, err).Answered)
	require.Equal(t, "0xAA", pools.Pools[0].Address)
	require.Equal(t, "0xcc", pools.Unasked[0].Address)
	require.Equal(t, []string{"0xdd"}, pools.NotFound)

	tokens, err := c.GetTokens(t.Context(), "eth", asked, onchaindata.TokensRequest{})
	require.ErrorIs(t, err, walletfi.ErrMismatch)
	require.Equal(t, "0xAA", tokens.Tokens[0].Address)
	require.Equal(t, "0xcc", tokens.Unasked[0].Address)
	require.Equal(t, []string{"0xdd"}, tokens.NotFound)
}
