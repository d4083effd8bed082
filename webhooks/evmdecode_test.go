package webhooks

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/bodies"
)

// ordinary reads a delivery without the fast path.
func ordinary(body []byte) *Delivery {
	d := &Delivery{Body: body}
	place := d.readAny(body)
	d.id = identified(d.WebhookID + "/" + place)
	return d
}

// fast reads a delivery by hand alone, nil where that declines.
func fast(body []byte) *Delivery {
	d := &Delivery{Body: body}
	place, ok := d.readFast(body)
	if !ok {
		return nil
	}
	d.id = identified(d.WebhookID + "/" + place)
	return d
}

func TestEVMByHandAsOrdinary(t *testing.T) {
	file, err := os.ReadFile("testdata/evm.json")
	require.NoError(t, err)
	for name, body := range map[string]string{
		"edges": string(file), "full": bodies.EVM(200), "least": `{"blockHash":"0x1"}`, "number": `{"blockNumber":"0xa"}`,
		"no list": `{"blockHash":"0x1","transactions":null}`, "empty list": `{"blockHash":"0x1","transactions":[]}`,
		"nulls":   `{"webhookId":null,"network":null,"timestamp":null,"blockNumber":null,"blockHash":"0x1","transactions":[{"hash":null,"logs":[null,{"topics":null},{"topics":[null]}]}]}`,
		"unknown": `{"chainId":1,"blockHash":"0x1","extra":{"Slot":[]},"transactions":[{"type":"0x2","logs":[{"removed":false}]}]}`,
		"escapes": `{"blockHash":"0x1","network":"\u00e9\"","transactions":[{"input":"\n"}]}`,
		"times":   `{"blockHash":"0x1","timestamp":"2026-01-01T00:00:00Z"}`, "numbers": `{"blockHash":"0x1","transactions":[{"nonce":5.0,"value":1e3,"gas":7},{"nonce":"","value":""}]}`,
	} {
		got := fast([]byte(body))
		require.NotNil(t, got, name)
		require.Equal(t, ordinary([]byte(body)), got, name)
	}
}

// TestEVMByHandDeclines what the ordinary way must judge.
func TestEVMByHandDeclines(t *testing.T) {
	for _, body := range []string{
		``, `[]`, `{}`, `{"blockHash":""}`, `{"blockNumber":0}`, `{"blockHash":"0x1"`, `{"blockHash":"0x1"}}`,
		`{"blockHash":"0x1","slot":0}`, `{"blockHash":"0x1","SLOT":1}`, `{"BlockHash":"0x1"}`, `{"blockHash":"0x1","blockHash":"0x2"}`,
		`{"blockHash":1}`, `{"blockHash":"0x1","network":5}`, `{"blockHash":"0x1","timestamp":"noon"}`, `{"blockHash":"0x1","timestamp":1,"timestamp":2}`,
		`{"blockHash":"0x1","timestamp":{}}`, `{"blockHash":"0x1","timestamp":"\u0031"}`,
		`{"blockHash":"0x1","blockNumber":-1}`, `{"blockHash":"0x1","blockNumber":"x"}`, `{"blockHash":"0x1","blockNumber":1,"blockNumber":2}`,
		`{"blockHash":"0x1","transactions":{}}`, `{"blockHash":"0x1","transactions":[],"transactions":[]}`, `{"blockHash":"0x1","transactions":[1]}`,
		`{"blockHash":"0x1","transactions":[{"Hash":"a"}]}`, `{"blockHash":"0x1","transactions":[{"value":true}]}`, `{"blockHash":"0x1","transactions":[{"value":"1","value":"2"}]}`,
		`{"blockHash":"0x1","transactions":[{"hash":"a"}],"transactions":[]}`, `{"blockHash":"0x1","transactions":[{"logs":[{"data":"a"}],"logs":[]}]}`,
		`{"blockHash":"0x1","transactions":[{"logs":[{"topics":["a"],"topics":["b"]}]}]}`, `{"blockHash":"0x1","transactions":[{"gas":"1","gas":"2"}]}`,
		`{"blockHash":"0x1","transactions":[{"nonce":1,"nonce":2}]}`, `{"blockHash":"0x1","transactions":[{"nonce":"x"}]}`, `{"blockHash":"0x1","transactions":[{"logs":[{"logIndex":1.5}]}]}`,
		`{"blockHash":"0x1","transactions":[{"logs":[],"logs":[]}]}`, `{"blockHash":"0x1","transactions":[{"logs":{}}]}`,
		`{"blockHash":"0x1","transactions":[{"logs":[{"topics":[],"topics":[]}]}]}`, `{"blockHash":"0x1","transactions":[{"logs":[{"topics":[1]}]}]}`,
		`{"blockHash":"0x1","transactions":[{"logs":[{"Topics":[]}]}]}`, `{"blockHash":"0x1","tranſactions":[]}`, "{\"blockHash\":\"\xff\"}",
	} {
		assert.Nil(t, fast([]byte(body)), body)
	}
}

// TestEVMListsAreApart: what shares an array must not show when one is grown.
func TestEVMListsAreApart(t *testing.T) {
	var p EVMPayload
	require.True(t, scanEVM([]byte(bodies.EVM(200)), &p))
	require.Len(t, p.Transactions, 200)
	before, err := json.Marshal(p.Transactions[1:])
	require.NoError(t, err)
	first := &p.Transactions[0]
	first.Logs[0].Topics = append(first.Logs[0].Topics, "spilt")
	first.Logs = append(first.Logs, EVMLog{Address: "spilt"})
	after, err := json.Marshal(p.Transactions[1:])
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
}

// FuzzEVMByHand holds the fast path to the ordinary one: neither laxer nor
// stricter, and the same values.
func FuzzEVMByHand(f *testing.F) {
	file, err := os.ReadFile("testdata/evm.json")
	require.NoError(f, err)
	f.Add(file)
	f.Add([]byte(bodies.EVM(3)))
	for _, seed := range []string{
		`{"blockHash":"0x1","transactions":[{"nonce":"0x1","value":"5","value":null}]}`, `{"blockNumber":1e2,"timestamp":1.5}`, `{"blockNumber":"","blockHash":"\ud800"}`,
		`{"blockHash":"0x1","timestamp":"","a":[{"b":{}}],"transactions":[{"logs":[{"topics":["a",null]},{"topics":[]}]}]}`, `{"slot":1,"blockHash":"0x1"}`, `{"blockNumber":99999999999999999999}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		want := ordinary(body)
		got := fast(body)
		if got == nil {
			return
		}
		require.NoError(t, want.DecodeErr, "laxer than the ordinary way")
		require.Equal(t, want, got)
	})
}

// FuzzParseDelivery: whatever was signed is read without a panic, and kept.
func FuzzParseDelivery(f *testing.F) {
	for _, name := range []string{"evm", "ledger"} {
		file, err := os.ReadFile("testdata/" + name + ".json")
		require.NoError(f, err)
		f.Add(file)
	}
	for _, seed := range []string{``, `[`, `[{}]`, `null`, `7`, `{"slot":{}}`, `{"blockHash":[],"timestamp":1e999}`, `{"slot":"0x10","transactions":[{"meta":{"err":[]}}]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		d := ParseDelivery(body)
		require.Equal(t, string(body), string(d.Body))
		require.True(t, strings.HasPrefix(d.Key(), d.WebhookID+"/"))
		require.False(t, d.Ledger != nil && d.EVM != nil)
		require.Equal(t, d.Key(), ParseDelivery(body).Key())
		if d.DecodeErr == nil && len(body) > 0 {
			require.True(t, json.Valid(body), "what is not JSON is said")
		}
		for _, payload := range []any{d.Ledger, d.EVM} {
			_, err := json.Marshal(payload)
			require.NoError(t, err, "what was read can be written")
		}
		if d.EVM != nil {
			for _, tx := range d.EVM.Transactions {
				tx.Value.BigInt()
			}
		}
	})
}
