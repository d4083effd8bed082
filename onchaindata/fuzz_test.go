package onchaindata

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/bodies"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// quirks are bodies that are close to the edges of JSON, and of the types.
var quirks = []string{
	``, `null`, `[]`, `5`, `"x"`, `{`, `{}`, `{} `, `{}x`, `{"data":[]}`, `{"data":null}`, `{"data":{}}`, `{"data":[{}]}`, `{"data":[null]}`, `{"data":[[]]}`, `{"data":[1,]}`, `{"data":[{}],}`,
	`{"data":[{"id":"a"}],"data":[{"id":"b"}]}`, `{"data":[{"id":"a"}],"data":null}`, `{"data":[],"data":[{"id":"b"}]}`, `{"Data":[{"id":"a"}]}`, `{"data":[{"ID":"a"}]}`, `{"\u0064ata":[{"id":"a"}]}`,
	`{"data":{"id":"a","id":"b"}}`, `{"data":{"id":"a","id":null}}`, `{"data":{"id":null,"id":"b"}}`, `{"data":{"id":5}}`, `{"data":{"id":"\u0041\ud83d\ude00\n\ud83d"}}`, `{"data":{"id":"\x"}}`, "{\"data\":{\"id\":\"a\tb\"}}",
	"{\"data\":{\"id\":\"\xff\"}}", `{"data":{"attributes":null,"relationships":null}}`, `{"data":{"attributes":[],"relationships":[]}}`, `{"data":{"attributes":{"address":"a"},"attributes":{"name":"b"}}}`,
	`{"data":{"attributes":{"address":"a"},"attributes":null}}`, `{"data":{"attributes":{"fdv_usd":"1","fdv_usd":null}}}`, `{"data":{"attributes":{"fdv_usd":null,"fdv_usd":"","fdv_usd":2}}}`,
	`{"data":{"attributes":{"fdv_usd":"1 "}}}`, `{"data":{"attributes":{"fdv_usd":"\u0031"}}}`, `{"data":{"attributes":{"fdv_usd":"01"}}}`, `{"data":{"attributes":{"fdv_usd":-0.5e+3}}}`, `{"data":{"attributes":{"fdv_usd":1.}}}`,
	`{"data":{"attributes":{"fdv_usd":+1}}}`, `{"data":{"attributes":{"fdv_usd":01}}}`, `{"data":{"attributes":{"fdv_usd":"NaN"}}}`, `{"data":{"attributes":{"fdv_usd":true}}}`, `{"data":{"attributes":{"fdv_usd":1e5}}}`,
	`{"data":{"attributes":{"pool_created_at":"2024-01-02T03:04:05+05:30"}}}`, `{"data":{"attributes":{"pool_created_at":"2024-01-02"}}}`, `{"data":{"attributes":{"pool_created_at":1700000000}}}`, `{"data":{"attributes":{"pool_created_at":""}}}`,
	`{"data":{"attributes":{"pool_created_at":"2024-01-02T03:04:05,5Z"}}}`, `{"data":{"attributes":{"pool_created_at":"0001-01-01T00:00:00Z","pool_created_at":null}}}`, `{"data":{"attributes":{"pool_created_at":"1700000000.5"}}}`,
	`{"data":{"attributes":{"transactions":{"m5":{},"h1":null,"h24":{"buys":-1}}}}}`, `{"data":{"attributes":{"transactions":{"m5":{"buys":1},"m5":null}}}}`, `{"data":{"attributes":{"transactions":{"m5":{"buys":1.0}}}}}`,
	`{"data":{"attributes":{"transactions":{"m5":{"buys":00}}}}}`, `{"data":{"attributes":{"transactions":{"m5":{"buys":999999999999999999}}}}}`, `{"data":{"attributes":{"transactions":{"m5":{"buys":9999999999999999999}}}}}`,
	`{"data":{"attributes":{"volume_usd":null,"price_change_percentage":{"h1":"1"},"price_change_percentage":{"m5":"2"}}}}`, `{"data":{"attributes":{"base_token":5,"data":[],"x":{"y":[{"z":1e400},"\"",{}]}}}}`,
	`{"data":{"relationships":{"base_token":{"data":{"id":"t1","type":"token"}},"dex":{"data":{"id":"d1"}}}},"included":[{"id":"t1","type":"token","attributes":{"decimals":9,"websites":["a",null]}},{"id":"d1","type":"dex","attributes":{"name":"D"}}]}`,
	`{"included":[{"id":"t1","type":"token","attributes":{"name":"later"}},{"id":"t1","type":"token","attributes":{"name":"last"}}],"data":{"relationships":{"base_token":{"data":{"id":"t1"}},"quote_token":{"data":[{"id":"t1"},{"id":"x"}]}}}}`,
	`{"data":{"relationships":{"base_token":{"data":{"id":"t1"},"data":null}}}}`, `{"data":{"relationships":{"base_token":{"data":null,"data":{"id":"t1","type":5}}}}}`, `{"data":{"relationships":{"top_pools":{"data":[]},"base_token":null,"new":{"data":5}}}}`,
	`{"data":[],"included":[{"attributes":{"name":"x"},"type":"token","id":"t"}]}`, `{"data":[],"included":[{"type":"token","id":"t"}]}`, `{"data":[],"included":[{"type":"news","attributes":{"name":5}}]}`, `{"data":[],"included":[null],"included":[]}`,
	`{"data":[],"included":[{"id":"t","type":"token","attributes":{"decimals":0},"attributes":{"symbol":"s"}}]}`, `{"data":[],"included":[{"id":"t","type":"token","attributes":{"decimals":"9"},"relationships":{"top_pools":{"data":[{"id":"p"},{"id":""}]}}}]}`,
	`{"data":{"attributes":{"ohlcv_list":[[1,1,1,1,1,1]]}}}`, `{"data":{"attributes":{"ohlcv_list":[[1,1,1,1,1]]}}}`, `{"data":{"attributes":{"ohlcv_list":[[1,1,"",null,"1",1,{"x":[]}]]}}}`, `{"data":{"attributes":{"ohlcv_list":[null]}}}`,
	`{"data":{"attributes":{"ohlcv_list":[[1.5,1,1,1,1,1]]}}}`, `{"data":{"attributes":{"ohlcv_list":[[-1,1,1,1,1,1]]}}}`, `{"data":{"attributes":{"ohlcv_list":[[999999999999,1,1,1,1,1]]}}}`, `{"data":{"attributes":{"ohlcv_list":[[999999999999999999,1,1,1,1,1]]}}}`,
	`{"data":{"attributes":{"ohlcv_list":[]},"attributes":{"ohlcv_list":[[1,1,1,1,1,1]]}}}`, `{"data":{"attributes":{"ohlcv_list":[[1,1,1,1,1,1]],"ohlcv_list":[]}}}`, `{"data":{"attributes":{"ohlcv_list":[[]]}}}`, `{"data":[{"attributes":{"ohlcv_list":[[1,1,1,1,1,1]]}}]}`,
	`{"data":[{"id":"t","attributes":{"block_number":18446744073709551615,"kind":"buy"}}]}`, `{"data":[{"attributes":{"block_number":999999999999999999,"block_timestamp":"2024-01-02T03:04:05.999Z"}}]}`, `{"data":[{"attributes":{"block_number":null,"kind":null}}],"included":[5]}`,
	strings.Repeat(`{"x":`, 80) + `1` + strings.Repeat(`}`, 80), `{"x":` + strings.Repeat(`[`, 9_999) + strings.Repeat(`]`, 9_999) + `}`, `{"data":[{"attributes":{"name":"é\u00e9","address":"😀"}}]}`,
}

// seeds are the quirks, the answers under testdata and short pages.
func seeds(tb testing.TB) [][]byte {
	tb.Helper()
	var all [][]byte
	files, err := filepath.Glob("testdata/*.json")
	require.NoError(tb, err)
	require.Len(tb, files, 16)
	for _, file := range files {
		b, err := os.ReadFile(file)
		require.NoError(tb, err)
		all = append(all, b)
	}
	for _, text := range append(quirks, bodies.Pools(2), bodies.Candles(3), bodies.Trades(2)) {
		all = append(all, []byte(text))
	}
	return all
}

// TestLinks: each pool of a page has the records that it names.
func TestLinks(t *testing.T) {
	var page PoolPage
	require.NoError(t, wire.Unmarshal([]byte(bodies.Pools(2)), &page))
	require.Equal(t, "TOKEN1", page.Items[1].BaseToken.Symbol)
	require.Equal(t, 312, page.Items[1].Transactions.M30.Buys)
	require.Equal(t, bodies.Price(2), page.Items[1].BaseTokenPriceInNative.String())
}

// FuzzAnswers: no answer makes a decoder panic, and what it took is JSON again.
func FuzzAnswers(f *testing.F) {
	for _, b := range seeds(f) {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		readRefusal(b)
		for _, v := range []any{
			new(PoolPage), new(poolAnswer), new(tokenAnswer), new(tokenList), new(pricesAnswer), new(CandlePage), new(TradePage),
			new(document[DEX]), new(document[Network]), new(Candle),
		} {
			if wire.Unmarshal(b, v) != nil {
				continue
			}
			again, err := json.Marshal(v)
			require.NoError(t, err)
			require.True(t, json.Valid(again))
		}
	})
}
