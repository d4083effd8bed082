package rows

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"

	"github.com/bytedance/sonic"
	gojson "github.com/goccy/go-json"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/bench/internal/turns"
	"github.com/walletfi/walletfi-go/internal/bodies"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/webhooks"
)

// unmarshal is a library's.
type unmarshal struct {
	name string
	into func([]byte, any) error
}

// libraries are the others; a build with another json package adds it.
var libraries = []unmarshal{
	{"encoding/json", json.Unmarshal},
	{"goccy/go-json", func(b []byte, v any) error { return gojson.Unmarshal(b, v) }},
	{"bytedance/sonic", func(b []byte, v any) error { return sonic.Unmarshal(b, v) }},
}

func decoding() []Row {
	return []Row{
		wholeCall[plainTrades]("300 trades, whole call", bodies.Trades(300), 1, 1.4, func(c clients) error {
			page, err := c.market.ListTrades(c.ctx, "solana", bodies.Address(1), onchaindata.TradesRequest{})
			return orWant(err, func() error { return want(len(page.Items) == 300, "%d trades", len(page.Items)) })
		}),
		wholeCall[plainCandles]("1,000 candles, whole call", bodies.Candles(1000), 1, 1.6, func(c clients) error {
			page, err := c.market.ListPoolCandles(c.ctx, "solana",
				bodies.Address(1), onchaindata.CandlesRequest{Timeframe: onchaindata.TimeframeMinute})
			return orWant(err, func() error { return want(len(page.Items) == 1000, "%d candles", len(page.Items)) })
		}, unmarshal{
			"bytedance/sonic into float64", func(b []byte, _ any) error { return sonic.Unmarshal(b, new(floatCandles)) },
		}),
		wholeCall[plainPools]("page of 20 pools with included, whole call", bodies.Pools(20), 1, 1.3, func(c clients) error {
			page, err := c.market.ListTopPools(c.ctx, "solana", onchaindata.TopPoolsRequest{})
			return orWant(err, func() error { return want(len(page.Items) == 20, "%d pools", len(page.Items)) })
		}),
		wholeCall[plainBook]("order book of 400 levels, whole call", bodies.Book(400), 1, 1.6, func(c clients) error {
			book, err := c.predict.GetOrderBook(c.ctx, "SEN-28-01", predictmeta.OrderBookRequest{})
			return orWant(err, func() error { return want(len(book.Bids)+len(book.Asks) == 400, "%d bids", len(book.Bids)) })
		}),
		delivery[plainEVM]("EVM delivery of 469 KB, decoded",
			bodies.EVM(320), 1.7, func(d *webhooks.Delivery) int { return len(d.EVM.Transactions) }),
		delivery[plainLedger]("ledger delivery of 280 KB, decoded",
			bodies.Ledger(260), 1.7, func(d *webhooks.Delivery) int { return len(d.Ledger.Transactions) }),
	}
}

// soClose is why a decoder is not always the fastest.
const soClose = "Ours and the fastest library are within what a shared machine moves. The library neither looks at " +
	"duplicates and names in another case nor copies the text that strings refer to."

// clients call services that are in memory.
type clients struct {
	ctx     context.Context
	market  *onchaindata.Client
	predict *predictmeta.Client
}

func newClients(m memory) (c clients, err error) {
	options := walletfi.Options{HTTPClient: &http.Client{Transport: m}}
	c.ctx = context.Background()
	if c.market, err = onchaindata.New(onchaindata.Config{
		DemoBaseURL: base + "/api/v3/onchain", APIKey: walletfi.NewSecret(key), Options: options,
	}); err != nil {
		return c, err
	}
	c.predict, err = predictmeta.New(predictmeta.Config{BaseURL: base, APIKey: walletfi.NewSecret(key), Options: options})
	return c, err
}

// wholeCall is a call from memory and net/http by hand with each library, which
// decodes into plain structs. Libraries that lose digits do not count.
func wholeCall[T any](name, body string, goal, bound float64, ours func(clients) error, lossy ...unmarshal) Row {
	return Row{
		Group: Decoding,
		Name:  name,
		Unit:  "x the fastest library",
		Goal:  goal,
		Bound: bound,
		Why:   soClose,
		Measure: func(e Effort) (Figure, error) {
			m := memory{[]byte(body)}
			c, err := newClients(m)
			if err != nil {
				return Figure{}, err
			}
			contenders := []turns.Contender{by("walletfi", func() error { return ours(c) })}
			hand := handClient(m)
			for _, library := range slices.Concat(libraries, lossy) {
				contenders = append(contenders, by(library.name, func() error {
					return byHand(c.ctx, hand, base+"/api", func(b []byte) error { return library.into(b, new(T)) })
				}))
			}
			return overFastest(len(libraries))(turns.Run(e.plan(), contenders...))
		},
	}
}

// delivery is a body that was verified, by us and by each library.
func delivery[T any](name, body string, bound float64, count func(*webhooks.Delivery) int) Row {
	return Row{
		Group: Decoding,
		Name:  name,
		Unit:  "x the fastest library",
		Goal:  1,
		Bound: bound,
		Why:   soClose,
		Measure: func(e Effort) (Figure, error) {
			raw := []byte(body)
			contenders := []turns.Contender{by("walletfi", func() error {
				d := webhooks.ParseDelivery(raw)
				return orWant(d.DecodeErr, func() error { return want(count(d) > 0, "no transactions") })
			})}
			for _, library := range libraries {
				contenders = append(contenders, by(library.name, func() error { return library.into(raw, new(T)) }))
			}
			return overFastest(len(libraries))(turns.Run(e.plan(), contenders...))
		},
	}
}

func orWant(err error, check func() error) error {
	if err != nil {
		return err
	}
	return check()
}
