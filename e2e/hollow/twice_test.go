package hollow

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	scan "github.com/walletfi/walletfi-go/internal/jsontext"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/predictmeta"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/smartaccount"
	"github.com/walletfi/walletfi-go/webhooks"
)

// TestTwiceElsewhere: a member that decides comes twice in what is no answer of a service:
// a node's answers, deliveries, messages of the feed, the codes of errors. Package hostile
// does so with the answers of all calls.
func TestTwiceElsewhere(t *testing.T) {
	rows := 0
	for _, row := range []struct {
		name string
		read func(t *testing.T, text string) error
		text string
		path string
		with string
	}{
		{"node, result", nodeStatus, statusText, "result", `{"context":{"slot":9},"value":[null]}`},
		{"node, value", nodeStatus, statusText, "result.value", `[null]`},
		{"node, error", nodeStatus, `{"jsonrpc":"2.0","id":1,"error":{"code":-32002,"message":"x"}}`, "error", `null`},
		{"delivery, webhook", deliver, evmText, "webhookId", `"wh_9"`},
		{"delivery, network", deliver, evmText, "network", `"other"`},
		{"delivery, block", deliver, evmText, "blockNumber", `8`},
		{"delivery, hash of the block", deliver, evmText, "blockHash", `"0x0000000000000000000000000000000000000000000000000000000000000008"`},
		{"delivery, transactions", deliver, evmText, "transactions", `[]`},
		{"delivery, slot", deliver, ledgerText, "slot", `8`},
		{"delivery, transactions of a slot", deliver, ledgerText, "transactions", `[]`},
		{"feed, type", feed(t), priceText, "type", `"trade"`},
		{"feed, ticker", feed(t), priceText, "ticker", `"MK-9"`},
		{"feed, price", feed(t), priceText, "yes_price", `0.1`},
		{"feed, side", feed(t), tradeText, "side", `"buy"`},
		{"feed, quantity", feed(t), tradeText, "quantity", `7`},
		{"feed, price of a trade", feed(t), tradeText, "price", `0.1`},
		{"feed, bids", feed(t), bookText, "bids", `[]`},
		{"feed, asks", feed(t), bookText, "asks", `[]`},
	} {
		t.Run(row.name, func(t *testing.T) {
			err := row.read(t, row.text)
			if row.path != "error" {
				require.NoError(t, err)
			}
			path := strings.Split(row.path, ".")
			for _, first := range []bool{true, false} {
				text := twice(t, row.text, path, path[len(path)-1], row.with, first)
				require.ErrorIs(t, row.read(t, text), walletfi.ErrDecode, text)
			}
		})
		rows++
	}
	require.Equal(t, 18, rows)
}

const (
	statusText = `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":9},"value":[{"slot":8,"confirmations":null,"err":null,"confirmationStatus":"finalized"}]}}`
	evmText    = `{"webhookId":"wh_1","network":"n","timestamp":1767225600,"blockNumber":7,"blockHash":"0x0000000000000000000000000000000000000000000000000000000000000007","transactions":[` + evmTx + `]}`
	ledgerText = `{"webhookId":"wh_1","network":"n","timestamp":1767225600,"slot":7,"transactions":[` + ledgerTx + `]}`
	evmTx      = `{"hash":"0x0000000000000000000000000000000000000000000000000000000000000001","from":"0x0000000000000000000000000000000000000061","to":"0x0000000000000000000000000000000000000062","value":"1","logs":[]}`
	ledgerTx   = `{"signature":"2wUGzJWZkY8k9CA2nQ759oK7u8g9BWNnxrrwp5W3KA2uT5KPy8T9MDdEs1eAFJSsQsrw6ViJjNsQQvG1iWpHSVhV",` +
		`"meta":{"fee":1,"preBalances":[],"postBalances":[],"err":null},"transaction":{"message":{"accountKeys":[],"instructions":[]},"signatures":[]}}`
	priceText = `{"type":"price_update","ticker":"MK-1","yes_price":0.52,"no_price":0.48,"timestamp":"2026-01-02T03:04:05Z"}`
	tradeText = `{"type":"trade","ticker":"MK-1","price":0.52,"quantity":5,"side":"sell","timestamp":"2026-01-02T03:04:05Z"}`
	bookText  = `{"type":"orderbook_update","ticker":"MK-1","bids":[{"price":0.5,"quantity":1}],"asks":[{"price":0.6,"quantity":1}],"timestamp":"2026-01-02T03:04:05Z"}`
)

// nodeStatus asks a node that answers with text.
func nodeStatus(t *testing.T, text string) error {
	t.Helper()
	carrier := &wiretest.Carrier{Reply: func(_ int, r wiretest.Request) wiretest.Answer {
		var call struct{ ID uint64 }
		require.NoError(t, json.Unmarshal([]byte(r.Body), &call))
		return wiretest.Answer{Status: http.StatusOK, Body: strings.Replace(text, `"id":1,`, fmt.Sprintf(`"id":%d,`, call.ID), 1)}
	}}
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret("https://node.test"), HTTPClient: carrier.Client()})
	require.NoError(t, err)
	_, err = node.SignatureStatus(t.Context(), wiretest.Signature(7))
	return err
}

func deliver(_ *testing.T, text string) error { return webhooks.ParseDelivery([]byte(text)).DecodeErr }

// feed returns a function that has a client of the feed read one message.
func feed(t *testing.T) func(t *testing.T, text string) error {
	messages := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		conn, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer conn.Close()
		for text := range messages {
			if conn.WriteMessage(websocket.TextMessage, []byte(text)) != nil {
				return
			}
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(messages) })
	client, err := predictmeta.New(predictmeta.Config{BaseURL: server.URL, WebSocketURL: server.URL})
	require.NoError(t, err)
	stream, err := client.Stream(context.WithoutCancel(t.Context()), predictmeta.StreamRequest{})
	require.NoError(t, err)
	t.Cleanup(func() { stream.Close() })
	return func(t *testing.T, text string) error {
		t.Helper()
		messages <- text
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		defer cancel()
		for {
			event, err := stream.Recv(ctx)
			require.NoError(t, err)
			switch event := event.(type) {
			case *predictmeta.UnknownMessage:
				return event.Err
			case *predictmeta.PriceUpdate, *predictmeta.TradeUpdate, *predictmeta.BookUpdate:
				return nil
			}
		}
	}
}

// TestTwiceCode: a refusal whose code comes twice has none, so that it promises
// nothing of what the codes say.
func TestTwiceCode(t *testing.T) {
	for _, body := range []string{
		`{"error":{"code":"POLICY_VIOLATION","code":"INTERNAL_ERROR","message":"m"}}`,
		`{"error":{"code":"INTERNAL_ERROR","code":"POLICY_VIOLATION","message":"m"}}`,
	} {
		carrier := &wiretest.Carrier{Answers: []wiretest.Answer{{Status: http.StatusOK, Body: body}}}
		options := walletfi.Options{HTTPClient: carrier.Client()}
		account, err := smartaccount.New(smartaccount.Config{BaseURL: somewhere + "/api/v1", Token: walletfi.Token{Access: wiretest.Key()}, Options: options})
		require.NoError(t, err)
		_, err = account.CreateAccount(t.Context(), smartaccount.CreateAccountRequest{Name: "n", Type: smartaccount.AccountPersonal})
		require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, body)
		_, coded := errors.AsType[*smartaccount.Error](err)
		require.False(t, coded, body)

		carrier.Answers[0].Status = http.StatusBadRequest
		lend, err := lending.New(lending.Config{BaseURL: somewhere, APIKey: wiretest.Key(), Options: options})
		require.NoError(t, err)
		_, err = lend.ListPools(t.Context())
		require.ErrorIs(t, err, walletfi.ErrInvalidRequest, body)
		_, coded = errors.AsType[*lending.Error](err)
		require.False(t, coded, body)
	}
}

// twice returns body with a second member at path, of that name and value, before
// or after the one that is there.
func twice(t *testing.T, body string, path []string, name, value string, first bool) string {
	t.Helper()
	b, at := []byte(body), scan.SkipSpace([]byte(body), 0)
	from, to := -1, -1
	for _, step := range path {
		found := -1
		_, err := scan.Members(b, at, func(start, end, i int) (int, error) {
			after := scan.ValueEnd(b, i)
			if string(scan.Unquote(b[start:end])) == step {
				from, to, found = start, after, i
			}
			return after, nil
		})
		require.NoError(t, err)
		require.GreaterOrEqual(t, found, 0, "%s has no %s", body, step)
		at = found
	}
	member := fmt.Sprintf("%q:%s", name, value)
	if first {
		return body[:from] + member + "," + body[from:]
	}
	return body[:to] + "," + member + body[to:]
}
