package rows

import (
	"fmt"
	"strings"
)

// list is n items with commas between them.
func list(n int, item func(i int) string) string {
	items := make([]string, n)
	for i := range items {
		items[i] = item(i)
	}
	return strings.Join(items, ",")
}

// address is one of 44 characters.
func address(i int) string { return fmt.Sprintf("%08dWHHoFwkqDyXqrH1xkPuCm6Dm8RkrNsHyPu3Xqk", i) }

// price has as many digits as the market data service gives.
func price(i int) string { return fmt.Sprintf("%d.%017d", i%400, 982451653*(i+7)%1_000_000_007) }

func poolsBody(pools int) string {
	count := `{"buys":312,"sells":288,"buyers":121,"sellers":97}`
	data := list(pools, func(i int) string {
		return `{"id":"solana_` + address(i) + `","type":"pool","attributes":{"base_token_price_usd":"` + price(i) +
			`","base_token_price_native_currency":"` + price(i+1) + `","quote_token_price_usd":"` + price(i+2) +
			`","address":"` + address(i) + `","name":"TOKEN` + fmt.Sprint(i) + ` / SOL","pool_created_at":"2024-03-05T16:07:43Z","fdv_usd":"` + price(i+3) +
			`","market_cap_usd":null,"price_change_percentage":{"m5":"0.12","h1":"-1.5","h6":"3.07","h24":"-11.94"},"transactions":{"m5":` + count +
			`,"m15":` + count + `,"m30":` + count + `,"h1":` + count + `,"h24":` + count +
			`},"volume_usd":{"m5":"` + price(i+4) + `","h1":"` + price(i+5) + `","h6":"` + price(i+6) + `","h24":"` + price(i+7) + `"},"reserve_in_usd":"` + price(i+8) +
			`"},"relationships":{"base_token":{"data":{"id":"solana_` + address(100+i) + `","type":"token"}},"quote_token":{"data":{"id":"solana_` + address(99) +
			`","type":"token"}},"dex":{"data":{"id":"raydium","type":"dex"}}}}`
	})
	tokens := list(pools, func(i int) string {
		return `{"id":"solana_` + address(100+i) + `","type":"token","attributes":{"address":"` + address(100+i) + `","name":"Token ` + fmt.Sprint(i) + `","symbol":"TOKEN` + fmt.Sprint(i) +
			`","decimals":9,"image_url":"https://assets.example.com/tokens/images/` + address(100+i) + `/large.png","aggregator_coin_id":null}}`
	})
	return `{"data":[` + data + `],"included":[` + tokens + `]}`
}

func candlesBody(candles int) string {
	return `{"data":{"id":"6f1e2c0a","type":"ohlcv","attributes":{"ohlcv_list":[` + list(candles, func(i int) string {
		return fmt.Sprintf("[%d,%s,%s,%s,%s,%s]", 1_700_000_000-60*i, price(i), price(i+3), price(i+2), price(i+1), price(i*17))
	}) + `]}}}`
}

func tradesBody(trades int) string {
	return `{"data":[` + list(trades, func(i int) string {
		return fmt.Sprintf(`{"id":"solana_%d_%s","type":"trade","attributes":{"block_number":%d,"tx_hash":"%s%s","tx_from_address":"%s","from_token_amount":"%s","to_token_amount":"%s",`,
			290_000_000+i, address(i), 290_000_000+i, address(i), address(i), address(i+1), price(i), price(i+1)) +
			fmt.Sprintf(`"price_from_in_currency_token":"%s","price_to_in_currency_token":"%s","price_from_in_usd":"%s","price_to_in_usd":"%s","block_timestamp":"2024-09-12T10:%02d:%02dZ","kind":"buy","volume_in_usd":"%s"}}`,
				price(i+2), price(i+3), price(i+4), price(i+5), i/60, i%60, price(i+6))
	}) + `]}`
}

// bookBody has so many levels, half of them on each side.
func bookBody(levels int) string {
	side := func(from int) string {
		return list(levels/2, func(i int) string { return fmt.Sprintf(`{"price":0.%04d,"quantity":%d}`, from+3*i, 100+17*i) })
	}
	return `{"ticker":"SEN-28-01","timestamp":"2026-01-01T00:00:00.123Z","bids":[` + side(1000) + `],"asks":[` + side(5000) + `],"spread":0.0012,"mid_price":0.5001}`
}

// evmBody is a delivery of an EVM chain: token transfers and swaps, with as much
// input and as many logs as such have.
func evmBody(transactions int) string {
	logs := 0
	return `{"webhookId":"wh_4f1e2c0a9b8d7c6e","network":"ETH_MAINNET","timestamp":1767225600,"blockNumber":21000001,"blockHash":"` + hexOf(32, 1) + `","transactions":[` +
		list(transactions, func(i int) string {
			return fmt.Sprintf(`{"hash":"%s","from":"%s","to":"%s","value":"%d000000000000","gas":"%d","gasPrice":"%d","input":"0xa9059cbb%s","nonce":%d,"logs":[`,
				hexOf(32, i+2), hexOf(20, i), hexOf(20, i+7), i*982_451, 21_000+i*317, 1_000_000_000+i, strings.Repeat(hexOf(32, i)[2:], 2+5*(i%3)), i*31) +
				list(1+i%3, func(l int) string {
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

// ledgerBody is a delivery of the ledger chain.
func ledgerBody(transactions int) string {
	return `{"webhookId":"wh_4f1e2c0a9b8d7c6e","network":"SOLANA_MAINNET","timestamp":1767225600,"slot":290000001,"transactions":[` +
		list(transactions, func(i int) string {
			signature := address(i) + address(i+1)
			balances := list(8, func(b int) string { return fmt.Sprint(2_039_280 + i*1_000_003 + b*7) })
			return fmt.Sprintf(`{"signature":"%s","meta":{"fee":%d,"preBalances":[%s],"postBalances":[%s],"err":null},"transaction":{"message":{"accountKeys":[%s],"instructions":[%s]},"signatures":["%s"]}}`,
				signature, 5000+i, balances, balances, list(8, func(k int) string { return `"` + address(i+k) + `"` }),
				list(3, func(k int) string {
					return fmt.Sprintf(`{"programIdIndex":%d,"accounts":[0,%d,%d],"data":"3Bxs4h24hBtQy9rw%d"}`, 5+k, k+1, k+2, i)
				}), signature)
		}) + "]}"
}
