package rows

import (
	"encoding/json"
	"time"
)

// The structs below are what a program would write that had no client: texts for
// quoted prices, json.Number for bare ones, so that no digit is lost, and nothing
// resolved.
type plainPools struct {
	Data []struct {
		ID         string `json:"id"`
		Type       string `json:"type"`
		Attributes struct {
			Address                string       `json:"address"`
			Name                   string       `json:"name"`
			CreatedAt              time.Time    `json:"pool_created_at"`
			FDVUSD                 string       `json:"fdv_usd"`
			MarketCapUSD           *string      `json:"market_cap_usd"`
			ReserveUSD             string       `json:"reserve_in_usd"`
			BaseTokenPriceUSD      string       `json:"base_token_price_usd"`
			QuoteTokenPriceUSD     string       `json:"quote_token_price_usd"`
			BaseTokenPriceInNative string       `json:"base_token_price_native_currency"`
			PriceChange            plainPeriods `json:"price_change_percentage"`
			VolumeUSD              plainPeriods `json:"volume_usd"`
			Transactions           struct {
				M5  plainCount `json:"m5"`
				M15 plainCount `json:"m15"`
				M30 plainCount `json:"m30"`
				H1  plainCount `json:"h1"`
				H24 plainCount `json:"h24"`
			} `json:"transactions"`
		} `json:"attributes"`
		Relationships struct {
			BaseToken  plainRelation `json:"base_token"`
			QuoteToken plainRelation `json:"quote_token"`
			DEX        plainRelation `json:"dex"`
		} `json:"relationships"`
	} `json:"data"`
	Included []struct {
		ID         string `json:"id"`
		Type       string `json:"type"`
		Attributes struct {
			Address          string  `json:"address"`
			Name             string  `json:"name"`
			Symbol           string  `json:"symbol"`
			Decimals         int     `json:"decimals"`
			ImageURL         string  `json:"image_url"`
			AggregatorCoinID *string `json:"aggregator_coin_id"`
		} `json:"attributes"`
	} `json:"included"`
}

type plainPeriods struct {
	M5  string `json:"m5"`
	H1  string `json:"h1"`
	H6  string `json:"h6"`
	H24 string `json:"h24"`
}

type plainCount struct {
	Buys    int `json:"buys"`
	Sells   int `json:"sells"`
	Buyers  int `json:"buyers"`
	Sellers int `json:"sellers"`
}

type plainRelation struct {
	Data struct {
		ID   string `json:"id"`
		Type string `json:"type"`
	} `json:"data"`
}

type plainCandles struct {
	Data struct {
		ID         string `json:"id"`
		Type       string `json:"type"`
		Attributes struct {
			List [][6]json.Number `json:"ohlcv_list"`
		} `json:"attributes"`
	} `json:"data"`
}

// floatCandles loses digits.
type floatCandles struct {
	Data struct {
		Attributes struct {
			List [][6]float64 `json:"ohlcv_list"`
		} `json:"attributes"`
	} `json:"data"`
}

type plainTrades struct {
	Data []struct {
		ID         string `json:"id"`
		Type       string `json:"type"`
		Attributes struct {
			BlockNumber              uint64    `json:"block_number"`
			Time                     time.Time `json:"block_timestamp"`
			TxHash                   string    `json:"tx_hash"`
			TxFrom                   string    `json:"tx_from_address"`
			FromAmount               string    `json:"from_token_amount"`
			ToAmount                 string    `json:"to_token_amount"`
			PriceFromInCurrencyToken string    `json:"price_from_in_currency_token"`
			PriceToInCurrencyToken   string    `json:"price_to_in_currency_token"`
			PriceFromUSD             string    `json:"price_from_in_usd"`
			PriceToUSD               string    `json:"price_to_in_usd"`
			Kind                     string    `json:"kind"`
			VolumeUSD                string    `json:"volume_in_usd"`
		} `json:"attributes"`
	} `json:"data"`
}

type plainBook struct {
	Ticker    string       `json:"ticker"`
	Timestamp time.Time    `json:"timestamp"`
	Bids      []plainLevel `json:"bids"`
	Asks      []plainLevel `json:"asks"`
	Spread    json.Number  `json:"spread"`
	MidPrice  json.Number  `json:"mid_price"`
}

type plainLevel struct {
	Price    json.Number `json:"price"`
	Quantity uint64      `json:"quantity"`
}

type plainEVM struct {
	WebhookID    string `json:"webhookId"`
	Network      string `json:"network"`
	Timestamp    int64  `json:"timestamp"`
	BlockNumber  uint64 `json:"blockNumber"`
	BlockHash    string `json:"blockHash"`
	Transactions []struct {
		Hash     string `json:"hash"`
		From     string `json:"from"`
		To       string `json:"to"`
		Value    string `json:"value"`
		Gas      string `json:"gas"`
		GasPrice string `json:"gasPrice"`
		Input    string `json:"input"`
		Nonce    uint64 `json:"nonce"`
		Logs     []struct {
			Address  string   `json:"address"`
			Topics   []string `json:"topics"`
			Data     string   `json:"data"`
			LogIndex uint64   `json:"logIndex"`
		} `json:"logs"`
	} `json:"transactions"`
}

type plainLedger struct {
	WebhookID    string `json:"webhookId"`
	Network      string `json:"network"`
	Timestamp    int64  `json:"timestamp"`
	Slot         uint64 `json:"slot"`
	Transactions []struct {
		Signature string `json:"signature"`
		Meta      struct {
			Fee          uint64   `json:"fee"`
			PreBalances  []uint64 `json:"preBalances"`
			PostBalances []uint64 `json:"postBalances"`
			Err          any      `json:"err"`
		} `json:"meta"`
		Transaction struct {
			Message struct {
				AccountKeys  []string `json:"accountKeys"`
				Instructions []struct {
					ProgramIDIndex int    `json:"programIdIndex"`
					Accounts       []int  `json:"accounts"`
					Data           string `json:"data"`
				} `json:"instructions"`
			} `json:"message"`
			Signatures []string `json:"signatures"`
		} `json:"transaction"`
	} `json:"transactions"`
}
