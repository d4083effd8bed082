// Package bodies makes up answers and deliveries as large as the services' own, for
// benchmarks and for fuzz tests: as many digits, names and levels.
package bodies

import (
	"fmt"
	"strings"
)

// List is n items with commas between them.
func List(n int, item func(i int) string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = item(i)
	}
	return strings.Join(items, ",")
}

// Address is one of 44 characters of base58, which has no 0.
func Address(i int) string {
	return strings.ReplaceAll(fmt.Sprintf("%06d", i), "0", "z") + "WHHoFwkqDyXqrH1xkPuCm6Dm8RkrNsHyPu3Xqk"
}

// Price has as many digits as the market data service gives.
func Price(i int) string { return fmt.Sprintf("%d.%017d", i%400, 982451653*int64(i+7)%1_000_000_007) }

// Pools is a page of so many pools, with their tokens beside them.
func Pools(pools int) string {
	count := `{"buys":312,"sells":288,"buyers":121,"sellers":97}`
	data := List(pools, func(i int) string {
		return `{"id":"solana_` + Address(i) + `","type":"pool","attributes":{"base_token_price_usd":"` + Price(i) +
			`","base_token_price_native_currency":"` + Price(i+1) + `","quote_token_price_usd":"` + Price(i+2) +
			`","address":"` + Address(i) + `","name":"TOKEN` + fmt.Sprint(i) +
			` / SOL","pool_created_at":"2024-03-05T16:07:43Z","fdv_usd":"` + Price(i+3) +
			`","market_cap_usd":null,"price_change_percentage":{"m5":"0.12","h1":"-1.5","h6":"3.07","h24":"-11.94"},` +
			`"transactions":{"m5":` + count + `,"m15":` + count + `,"m30":` + count + `,"h1":` + count + `,"h24":` + count +
			`},"volume_usd":{"m5":"` + Price(i+4) + `","h1":"` + Price(i+5) + `","h6":"` + Price(i+6) + `","h24":"` +
			Price(i+7) + `"},"reserve_in_usd":"` + Price(i+8) +
			`"},"relationships":{"base_token":{"data":{"id":"solana_` + Address(100+i) +
			`","type":"token"}},"quote_token":{"data":{"id":"solana_` + Address(99) +
			`","type":"token"}},"dex":{"data":{"id":"raydium","type":"dex"}}}}`
	})
	tokens := List(pools, func(i int) string {
		return `{"id":"solana_` + Address(100+i) + `","type":"token","attributes":{"address":"` + Address(100+i) +
			`","name":"Token ` + fmt.Sprint(i) + `","symbol":"TOKEN` + fmt.Sprint(i) +
			`","decimals":9,"image_url":"https://assets.example.com/tokens/images/` + Address(100+i) +
			`/large.png","aggregator_coin_id":null}}`
	})
	return `{"data":[` + data + `],"included":[` + tokens + `]}`
}

// Candles is a list of so many candles, newest first.
func Candles(candles int) string {
	return `{"data":{"id":"6f1e2c0a","type":"ohlcv","attributes":{"ohlcv_list":[` + List(candles, func(i int) string {
		low, high := Price(i+2), Price(i+3)
		if len(low) > len(high) || len(low) == len(high) && low > high { // the prices begin again
			low, high = high, low
		}
		return fmt.Sprintf("[%d,%s,%s,%s,%s,%s]", 1_700_000_000-60*i, low, high, low, high, Price(i*17))
	}) + `]}}}`
}

// Trades is a list of so many trades.
func Trades(trades int) string {
	return `{"data":[` + List(trades, func(i int) string {
		return fmt.Sprintf(`{"id":"solana_%d_%s","type":"trade","attributes":{"block_number":%d,`+
			`"tx_hash":"%s%s","tx_from_address":"%s","from_token_amount":"%s","to_token_amount":"%s",`,
			290_000_000+i, Address(i), 290_000_000+i, Address(i), Address(i), Address(i+1), Price(i), Price(i+1)) +
			fmt.Sprintf(`"price_from_in_currency_token":"%s","price_to_in_currency_token":"%s",`+
				`"price_from_in_usd":"%s","price_to_in_usd":"%s","block_timestamp":"2024-09-12T10:%02d:%02dZ",`+
				`"kind":"buy","volume_in_usd":"%s"}}`,
				Price(i+2), Price(i+3), Price(i+4), Price(i+5), i/60, i%60, Price(i+6))
	}) + `]}`
}

// Book has so many levels, half of them on each side.
func Book(levels int) string {
	side := func(from int) string {
		return List(levels/2, func(i int) string { return fmt.Sprintf(`{"price":0.%04d,"quantity":%d}`, from+3*i, 100+17*i) })
	}
	const lowestBid, ask = 1000, 5000
	bid := lowestBid + 3*(levels/2-1)
	return `{"ticker":"SEN-28-01","timestamp":"2026-01-01T00:00:00.123Z","bids":[` + side(lowestBid) + `],"asks":[` +
		side(ask) + fmt.Sprintf(`],"spread":0.%04d,"mid_price":0.%05d}`, ask-bid, 5*(ask+bid))
}

// EVM is a delivery of an EVM chain: token transfers and swaps, with as much
// input and as many logs as such have.
func EVM(transactions int) string {
	logs := 0
	return `{"webhookId":"wh_4f1e2c0a9b8d7c6e","network":"ETH_MAINNET","timestamp":1767225600,` +
		`"blockNumber":21000001,"blockHash":"` + hexOf(32, 1) + `","transactions":[` +
		List(transactions, func(i int) string {
			return fmt.Sprintf(`{"hash":"%s","from":"%s","to":"%s","value":"%d000000000000",`+
				`"gas":"%d","gasPrice":"%d","input":"0xa9059cbb%s","nonce":%d,"logs":[`,
				hexOf(32, i+2), hexOf(20, i), hexOf(20, i+7), i*982_451, 21_000+i*317, 1_000_000_000+i,
				strings.Repeat(hexOf(32, i)[2:], 2+5*(i%3)), i*31) +
				List(1+i%3, func(l int) string {
					logs++
					return fmt.Sprintf(`{"address":"%s","topics":["%s","%s","%s"],"data":"%s","logIndex":%d}`,
						hexOf(20, l), hexOf(32, l), hexOf(32, i), hexOf(32, i+l), hexOf(32, i*l), logs)
				}) + "]}"
		}) + "]}"
}

// hexOf makes up n bytes.
func hexOf(n, seed int) string {
	text := fmt.Sprintf("%016x", uint64(seed+1)*0x9e3779b97f4a7c15)
	return "0x" + strings.Repeat(text, n/8+1)[:2*n]
}

// Ledger is a delivery of the ledger chain, in which some transactions failed.
func Ledger(transactions int) string {
	return `{"webhookId":"wh_4f1e2c0a9b8d7c6e","network":"SOLANA_MAINNET",` +
		`"timestamp":1767225600,"slot":310000001,"transactions":[` +
		List(transactions, func(i int) string {
			keys, failed := 4+i%12, "null"
			if i%7 == 6 {
				failed = `{"InstructionError":[0,{"Custom":6001}]}`
			}
			balances := func(step int) string {
				return List(keys, func(k int) string { return fmt.Sprint(2_039_280 + i*k*step) })
			}
			signature := Address(i) + Address(i+1)
			return fmt.Sprintf(`{"signature":"%s","meta":{"fee":5000,"preBalances":[%s],"postBalances":[%s],"err":%s},`+
				`"transaction":{"message":{"accountKeys":[%s],"instructions":[%s]},"signatures":["%s"]}}`,
				signature, balances(1_000_003), balances(1_000_000), failed,
				List(keys, func(k int) string { return `"` + Address(i+k) + `"` }),
				List(1+i%4, func(n int) string {
					return fmt.Sprintf(`{"programIdIndex":%d,"accounts":[0,%d,%d,2],"data":"3Bxs4h24hBtQy9rw%d"}`, n, n%4, i%4, i)
				}), signature)
		}) + "]}"
}
