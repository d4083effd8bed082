package onchaindata

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// full is a list of n items.
func full(n int, item func(i int) string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = item(i)
	}
	return strings.Join(items, ",")
}

// address is one of 44 characters.
func address(i int) string { return fmt.Sprintf("%08dWHHoFwkqDyXqrH1xkPuCm6Dm8RkrNsHyPu3Xqk", i) }

// price has as many digits as the service gives.
func price(i int) string { return fmt.Sprintf("%d.%017d", i%400, 982451653*(i+7)%1_000_000_007) }

func poolPageBody(pools int) string {
	count := `{"buys":312,"sells":288,"buyers":121,"sellers":97}`
	data := full(pools, func(i int) string {
		return `{"id":"solana_` + address(i) + `","type":"pool","attributes":{"base_token_price_usd":"` + price(i) +
			`","base_token_price_native_currency":"` + price(i+1) + `","quote_token_price_usd":"` + price(i+2) +
			`","address":"` + address(i) + `","name":"TOKEN` + fmt.Sprint(i) + ` / SOL","pool_created_at":"2024-03-05T16:07:43Z","fdv_usd":"` + price(i+3) +
			`","market_cap_usd":null,"price_change_percentage":{"m5":"0.12","h1":"-1.5","h6":"3.07","h24":"-11.94"},"transactions":{"m5":` + count +
			`,"m15":` + count + `,"m30":` + count + `,"h1":` + count + `,"h24":` + count +
			`},"volume_usd":{"m5":"` + price(i+4) + `","h1":"` + price(i+5) + `","h6":"` + price(i+6) + `","h24":"` + price(i+7) + `"},"reserve_in_usd":"` + price(i+8) +
			`"},"relationships":{"base_token":{"data":{"id":"solana_` + address(100+i) + `","type":"token"}},"quote_token":{"data":{"id":"solana_` + address(99) +
			`","type":"token"}},"dex":{"data":{"id":"raydium","type":"dex"}}}}`
	})
	tokens := full(pools, func(i int) string {
		return `{"id":"solana_` + address(100+i) + `","type":"token","attributes":{"address":"` + address(100+i) + `","name":"Token ` + fmt.Sprint(i) + `","symbol":"TOKEN` + fmt.Sprint(i) +
			`","decimals":9,"image_url":"https://assets.example.com/tokens/images/` + address(100+i) + `/large.png","aggregator_coin_id":null}}`
	})
	return `{"data":[` + data + `],"included":[` + tokens + `]}`
}

func candlesBody(candles int) string {
	return `{"data":{"id":"6f1e2c0a","type":"ohlcv","attributes":{"ohlcv_list":[` + full(candles, func(i int) string {
		return fmt.Sprintf("[%d,%s,%s,%s,%s,%s]", 1_700_000_000-60*i, price(i), price(i+3), price(i+2), price(i+1), price(i*17))
	}) + `]}}}`
}

func tradesBody(trades int) string {
	return `{"data":[` + full(trades, func(i int) string {
		return fmt.Sprintf(`{"id":"solana_%d_%s","type":"trade","attributes":{"block_number":%d,"tx_hash":"%s%s","tx_from_address":"%s","from_token_amount":"%s","to_token_amount":"%s",`,
			290_000_000+i, address(i), 290_000_000+i, address(i), address(i), address(i+1), price(i), price(i+1)) +
			fmt.Sprintf(`"price_from_in_currency_token":"%s","price_to_in_currency_token":"%s","price_from_in_usd":"%s","price_to_in_usd":"%s","block_timestamp":"2024-09-12T10:%02d:%02dZ","kind":"buy","volume_in_usd":"%s"}}`,
				price(i+2), price(i+3), price(i+4), price(i+5), i/60, i%60, price(i+6))
	}) + `]}`
}

// fastAnswer is what a call does with the body of a success.
func fastAnswer[T any](fast func([]byte, *T) bool) func(body []byte) bool {
	return func(body []byte) bool {
		var v T
		payload, ok := accept(body)
		return ok && fast(payload, &v)
	}
}

func plainAnswer[T any](body []byte) bool {
	var v T
	return json.Unmarshal(body, &v) == nil
}

// BenchmarkDecode reports how many times faster than encoding/json into plain
// structs the hot answers are read.
func BenchmarkDecode(b *testing.B) {
	for _, row := range []struct {
		name, body string
		fast       func([]byte) bool
		plain      func([]byte) bool
	}{
		{"pools", poolPageBody(PageSize), fastAnswer(fastPoolPage), plainAnswer[plainPools]},
		{"candles", candlesBody(MaxCandles), fastAnswer(fastCandles), plainAnswer[plainCandles]},
		{"trades", tradesBody(MaxTrades), fastAnswer(fastTrades), plainAnswer[plainTrades]},
	} {
		body := []byte(row.body)
		var plain float64
		run := func(name string, decode func([]byte) bool) {
			b.Run(row.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(body)))
				b.ReportAllocs()
				for b.Loop() {
					require.True(b, decode(body))
				}
				nanos := float64(b.Elapsed().Nanoseconds()) / float64(b.N)
				if name == "encoding-json" {
					plain = nanos
				}
				b.ReportMetric(plain/nanos, "x-faster")
			})
		}
		run("encoding-json", row.plain)
		run("by-hand", row.fast)
	}
}
