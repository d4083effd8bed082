package hollow

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/onchaindata"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/socialsearch"
	"github.com/walletfi/walletfi-go/swap"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestOneRecordNested puts a record that cannot be read into a list that is in
// another record, or beside the page's own: what holds it is whole, and it is
// reported with its list, its index and its JSON.
func TestOneRecordNested(t *testing.T) {
	client := func(body string) walletfi.Options {
		carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: http.StatusOK, Body: body}}}
		return walletfi.Options{HTTPClient: carrier.Client()}
	}
	meta := func(body string) *predictmeta.Client {
		return flows.Must(predictmeta.New(predictmeta.Config{BaseURL: somewhere, Options: client(body)}))
	}
	lend := func(body string) *lending.Client {
		return flows.Must(lending.New(lending.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: client(body)}))
	}
	chain := func(body string) *onchaindata.Client {
		return flows.Must(onchaindata.New(onchaindata.Config{DemoBaseURL: somewhere + "/api/v3/onchain", APIKey: wiretest.Key(), Options: client(body)}))
	}
	withMarkets := strings.Replace(wholeEvent, `{`, `{"markets":[`+wholeSummary+`,@,`+strings.Replace(wholeSummary, "MK", "MK2", 1)+`],`, 1)
	anotherEvent := strings.Replace(wholeEvent, `"EV"`, `"EV2"`, 1)
	rows := map[string]struct {
		list string
		body string // with @ where the record is
		read func(ctx context.Context, body string) (others int, err error)
	}{
		"markets of an event": {"markets", withMarkets, func(ctx context.Context, body string) (int, error) {
			e, err := meta(body).GetEvent(ctx, "EV", predictmeta.EventRequest{})
			return len(e.Markets), err
		}},
		"markets of an event in a list": {"events[1].markets", `{"events":[` + anotherEvent + `,` + withMarkets + `],"total":2}`, func(ctx context.Context, body string) (int, error) {
			p, err := meta(body).ListEvents(ctx, predictmeta.EventsRequest{})
			return len(p.Items[1].Markets), err
		}},
		"markets of an event on a walk": {"events[0].markets", `{"events":[` + withMarkets + `,` + anotherEvent + `],"total":2}`, func(ctx context.Context, body string) (others int, last error) {
			for event, err := range meta(body).AllEvents(ctx, predictmeta.EventsRequest{}) {
				if last = errors.Join(last, err); err == nil {
					others += len(event.Markets)
				}
			}
			return others, last
		}},
		"addresses not found": {"not_found", `{"markets":[],"not_found":["MK",@,"MK"]}`, func(ctx context.Context, body string) (int, error) {
			b, err := meta(body).BatchMarkets(ctx, predictmeta.BatchMarketsRequest{Tickers: []string{"MK"}})
			return len(b.NotFound), err
		}},
		"rewards": {"rewards", `{"totalDeposited":0,"totalInterestEarned":0,"currentApy":0,"positions":[],"rewards":[` + wholeReward + `,@,` + wholeReward + `]}`, func(ctx context.Context, body string) (int, error) {
			a, err := lend(body).GetAccount(ctx, mintIn)
			return len(a.Rewards), err
		}},
		"protocols of a pool": {"pools[0].protocols", `{"pools":[` + strings.Replace(wholePool, `[]`, `[`+wholeProtocol+`,@,`+strings.Replace(wholeProtocol, `"p"`, `"q"`, 1)+`]`, 1) + `]}`, func(ctx context.Context, body string) (int, error) {
			p, err := lend(body).ListPools(ctx)
			return len(p.Items[0].Protocols), err
		}},
		"fills of an order": {"fills", `{"status":"closed","fills":[{"signature":"` + wiretest.Signature(1) + `","inAmount":"1","outAmount":"1"},@,{"signature":"` + wiretest.Signature(2) + `","inAmount":"0","outAmount":"0"}]}`, func(ctx context.Context, body string) (int, error) {
			c := flows.Must(swap.New(swap.Config{BaseURL: somewhere, Options: client(body)}))
			o, err := c.GetOrderStatus(ctx, swap.OrderStatusRequest{Signature: wiretest.Signature(7)})
			return len(o.Fills), err
		}},
		"users of a page": {"includes.users", `{"data":[{"id":"1"}],"includes":{"users":[{"id":"1"},@,{"id":"2"}]}}`, func(ctx context.Context, body string) (int, error) {
			c := flows.Must(socialsearch.New(socialsearch.Config{BaseURL: somewhere, BearerToken: wiretest.Key(), Options: client(body)}))
			p, err := c.SearchRecent(ctx, socialsearch.SearchRequest{Query: socialsearch.RawQuery("x")})
			return len(p.Includes.Users), err
		}},
		"records included": {"included", `{"data":[{"id":"p","type":"pool","attributes":{"address":"A",` + poolNumbers + `},"relationships":{"base_token":{"data":{"id":"t"}},"quote_token":{"data":{"id":"u"}}}}],
			"included":[{"id":"t","type":"token","attributes":{"address":"T"}},@,{"id":"u","type":"token","attributes":{"address":"U"}}]}`, func(ctx context.Context, body string) (others int, err error) {
			p, err := chain(body).ListTopPools(ctx, "n", onchaindata.TopPoolsRequest{})
			for _, token := range []*onchaindata.Token{p.Items[0].BaseToken, p.Items[0].QuoteToken} {
				if token != nil {
					others++
				}
			}
			return others, err
		}},
		"transactions of a delivery": {"transactions", `{"webhookId":"w","network":"n","slot":1,"transactions":[` + ledgerTx + `,@,` + ledgerTx + `]}`, func(_ context.Context, body string) (int, error) {
			d := webhooks.ParseDelivery([]byte(body))
			return len(d.Ledger.Transactions), d.DecodeErr
		}},
		"transactions of a block": {"transactions", `{"webhookId":"w","network":"n","blockNumber":1,"blockHash":"0x0000000000000000000000000000000000000000000000000000000000000001","transactions":[` + evmTx + `,@,` + evmTx + `]}`, func(_ context.Context, body string) (int, error) {
			d := webhooks.ParseDelivery([]byte(body))
			return len(d.EVM.Transactions), d.DecodeErr
		}},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			for _, bad := range []string{`[[7]]`, `null`} {
				others, err := row.read(t.Context(), replaced(row.body, bad))
				record := wiretest.As[*walletfi.RecordError](t, err)
				require.ErrorIs(t, err, walletfi.ErrDecode)
				require.Equal(t, row.list, record.List)
				require.Equal(t, 1, record.Index)
				require.Equal(t, bad, record.Raw.String())
				want := 2
				require.Equal(t, want, others)
			}
		})
	}
	require.Len(t, rows, 11)
}
