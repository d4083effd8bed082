package rows

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strings"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/bench/internal/turns"
	"github.com/walletfi/walletfi-go/internal/bodies"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/predictmeta"
)

func iterators() []Row {
	return []Row{
		{Group: "Iterators", Name: "leverage.AllTradeHistory, pages of 100", Unit: "us an item", Goal: 7,
			Bound: 7, Measure: iterateLeverage},
		{Group: "Iterators", Name: "lending.AllHistory, pages of 100", Unit: "us an item", Goal: 7,
			Bound: 7, Measure: iterateLending},
		{Group: "Iterators", Name: "predictmeta.AllTrades, pages of 100", Unit: "us an item", Goal: 7,
			Bound: 9, Measure: iteratePredict},
	}
}

// paged answers its pages, of a hundred items each, and then an empty one, and so on.
type paged struct {
	pages [][]byte
	empty []byte
	asked *int
}

func (p paged) RoundTrip(r *http.Request) (*http.Response, error) {
	body := p.empty
	if at := *p.asked % (len(p.pages) + 1); at < len(p.pages) {
		body = p.pages[at]
	}
	*p.asked++
	return &http.Response{
		StatusCode: http.StatusOK, Request: r, ContentLength: int64(len(body)), Header: http.Header{},
		Body: io.NopCloser(bytes.NewReader(body)),
	}, nil
}

const inPage, pages = 100, 10

func pagesOf(format string, item func(i int) string) walletfi.Options {
	p := paged{empty: []byte(strings.Replace(format, "%", "", 1)), asked: new(int)}
	for n := range pages {
		text := bodies.List(inPage, func(i int) string { return item(n*inPage + i) })
		p.pages = append(p.pages, []byte(strings.Replace(format, "%", text, 1)))
	}
	return walletfi.Options{Limiter: unlimited, HTTPClient: &http.Client{Transport: p}}
}

// anItem measures an iteration over all pages, by item.
func anItem[T any](e Effort, iterate func(ctx context.Context) iter.Seq2[T, error]) (Figure, error) {
	results, err := turns.Run(e.plan(), by("walletfi", func() error {
		n := 0
		for _, err := range iterate(context.Background()) {
			if err != nil {
				return err
			}
			n++
		}
		return want(n == pages*inPage, "%d items", n)
	}))
	if err != nil {
		return Figure{}, err
	}
	return Figure{Value: float64(results[0].Best) / float64(time.Microsecond) / (pages * inPage), Beside: results}, nil
}

func iterateLeverage(e Effort) (Figure, error) {
	client, err := leverage.New(leverage.Config{
		BaseURL: base,
		APIKey:  walletfi.NewSecret(key),
		Options: pagesOf("[%]", func(i int) string {
			return fmt.Sprintf(`{"eventType":"OPEN","positionAddress":"%s","owner":"%s","price":1.50,"amount":"%d"}`,
				bodies.Address(i), owner, 1000+i)
		}),
	})
	if err != nil {
		return Figure{}, err
	}
	return anItem(e, func(ctx context.Context) iter.Seq2[leverage.TradeEvent, error] {
		return client.AllTradeHistory(ctx, leverage.TradeHistoryRequest{Owner: owner})
	})
}

func iterateLending(e Effort) (Figure, error) {
	client, err := lending.New(lending.Config{
		BaseURL: base,
		APIKey:  walletfi.NewSecret(key),
		Options: pagesOf(`{"events":[%],"total":0}`, func(i int) string {
			return fmt.Sprintf(`{"type":"deposit","timestamp":%d,"mint":"%s","amount":%d,`+
				`"depositType":"boosted","signature":"%s"}`,
				1_700_000_000+i, bodies.Address(i), 5+i, bodies.Address(i+1)+bodies.Address(i+2))
		}),
	})
	if err != nil {
		return Figure{}, err
	}
	return anItem(e, func(ctx context.Context) iter.Seq2[lending.Event, error] {
		return client.AllHistory(ctx, owner, lending.HistoryRequest{})
	})
}

func iteratePredict(e Effort) (Figure, error) {
	client, err := predictmeta.New(predictmeta.Config{
		BaseURL: base,
		APIKey:  walletfi.NewSecret(key),
		Options: pagesOf(`{"trades":[%],"limit":100}`, func(i int) string {
			return fmt.Sprintf(`{"id":"T%d","ticker":"MK-1","price":0.%02d,"quantity":%d,"side":"buy",`+
				`"outcome":"yes","timestamp":"2026-01-01T00:00:00Z","taker_address":"%s"}`,
				i, 1+i%98, i, bodies.Address(i))
		}),
	})
	if err != nil {
		return Figure{}, err
	}
	return anItem(e, func(ctx context.Context) iter.Seq2[predictmeta.Trade, error] {
		return client.AllTrades(ctx, predictmeta.TradesRequest{})
	})
}
