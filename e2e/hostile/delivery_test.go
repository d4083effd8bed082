package hostile

import (
	"context"
	"io"
	"net/http"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/calls"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/observe"
	"github.com/walletfi/walletfi-go/webhooks"
)

// door reads what services send by themselves as if it were an answer.
type door struct {
	*http.Client
	observer observe.Observer
}

func (d *door) body(ctx context.Context) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://door.example/", nil)
	if err != nil {
		return nil, err
	}
	resp, err := d.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	return io.ReadAll(resp.Body)
}

func (d *door) Delivery(ctx context.Context, _ ...walletfi.CallOption) (*webhooks.Delivery, error) {
	body, err := d.body(ctx)
	if err != nil {
		return nil, err
	}
	return webhooks.ParseDelivery(body), nil
}

func (d *door) Notice(ctx context.Context, _ ...walletfi.CallOption) (*notice, error) {
	body, err := d.body(ctx)
	if err != nil {
		return nil, err
	}
	c, err := lending.New(lending.Config{
		BaseURL: "https://door.example", APIKey: walletfi.NewSecret("k"), Options: walletfi.Options{Observer: d.observer},
	})
	if err != nil {
		return nil, err
	}
	event, err := c.ParseUnverifiedWebhook(body)
	if err != nil {
		return nil, err
	}
	deposit, err := event.Deposit()
	return &notice{event, deposit}, err
}

// notice is a notification of lending with what it tells of.
type notice struct {
	Event   *lending.UnverifiedWebhook
	Deposit *lending.CompletedDeposit
}

// deliveries are the documented payloads: of the ledger, of an EVM chain, and of lending.
func deliveries() []*calls.Row {
	const (
		key    = `"GvKfvMaJTdprEg9YCp5c1eGiPHA3uk5zraEvUbwi8wCy"`
		sig    = `"2wUGzJWZkY8k9CA2nQ759oK7u8g9BWNnxrrwp5W3KA2uT5KPy8T9MDdEs1eAFJSsQsrw6ViJjNsQQvG1iWpHSVhV"`
		hash   = `"0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060"`
		ledger = `{"webhookId":"wh_1","network":"SOLANA_MAINNET","timestamp":1767398400,"slot":320432000,"transactions":[` +
			`{"signature":` + sig + `,"meta":{"fee":5000,"preBalances":[10,20],"postBalances":[4,21],"err":{"x":1}},` +
			`"transaction":{"message":{"accountKeys":[` + key + `,"11111111111111111111111111111111"],"instructions":[` +
			`{"programIdIndex":1,"accounts":[1],"data":"3Bxs4h"}]},"signatures":[` + sig + `]}}]}`
		evm = `{"webhookId":"wh_1","network":"ETHEREUM","timestamp":1767398400,"blockNumber":19000000,"blockHash":` + hash +
			`,"transactions":[{"hash":` + hash + `,"from":"0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2",` +
			`"to":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48","value":"1000000000000000000","gas":"21000",` +
			`"gasPrice":"20000000000","input":"0x","nonce":7,"logs":[{"address":"0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",` +
			`"topics":[` + hash + `],"data":"0x01","logIndex":3}]}]}`
		event = `{"event":"deposit.completed","timestamp":1767398400,"data":{"walletAddress":` + key + `,"mint":` + key +
			`,"amount":1000000,"depositType":"protected","signature":` + sig + `}}`
	)
	at := func(op string, method any, body string) *calls.Row {
		return &calls.Row{
			Op: op, Call: wiretest.Of(method),
			Maker:     func(o walletfi.Options) (any, error) { return &door{o.HTTPClient, o.Observer}, nil },
			Exchanges: []calls.Exchange{{Method: http.MethodGet, Path: "/", Status: http.StatusOK, Body: body}},
		}
	}
	return []*calls.Row{
		at("webhooks.LedgerDelivery", (*door).Delivery, ledger), at("webhooks.EVMDelivery", (*door).Delivery, evm),
		at("lending.Notification", (*door).Notice, event),
	}
}
