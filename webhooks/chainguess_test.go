package webhooks

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/bodies"
	"github.com/walletfi/walletfi-go/internal/wire"
)

// ordinary reads a delivery without a guess.
func ordinary(body []byte) *Delivery {
	d := &Delivery{Raw: body}
	place := d.readAny(body)
	d.id = identified(d.WebhookID + "/" + place)
	return d
}

// guessed reads a delivery of the chain that is guessed, nil where that declines.
func guessed(body []byte) *Delivery {
	d := &Delivery{Raw: body}
	place, ok := d.readGuessed(body)
	if !ok {
		return nil
	}
	d.id = identified(d.WebhookID + "/" + place)
	return d
}

// TestLedgerBodiesAreReadOnce: the chain of the usual delivery is guessed.
func TestLedgerBodiesAreReadOnce(t *testing.T) {
	body := []byte(bodies.Ledger(50))
	late := []byte(strings.Replace(string(body[:len(body)-1]), `"slot":310000001,`, "", 1) + `,"slot":310000001}`)
	require.NotNil(t, guessed(late).Ledger, "the slot after the transactions")
	var payload LedgerPayload
	once := testing.AllocsPerRun(10, func() { require.NoError(t, wire.Unmarshal(body, &payload)); payload = LedgerPayload{} })
	whole := testing.AllocsPerRun(10, func() { require.NotNil(t, ParseDelivery(body).Ledger) })
	require.InDelta(t, once, whole, 20, "allocations of a delivery and of its payload alone")
	require.Less(t, whole, 4*50.0, "lists share arrays")
}

// TestEVMListsAreApart: what shares an array must not show when one is grown.
func TestEVMListsAreApart(t *testing.T) {
	var p EVMPayload
	require.True(t, wire.Unmarshal([]byte(bodies.EVM(200)), &p) == nil)
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

// FuzzGuess: a guessed chain reads the same as the other way.
func FuzzGuess(f *testing.F) {
	for _, name := range []string{"evm", "ledger"} {
		file, err := os.ReadFile("testdata/" + name + ".json")
		require.NoError(f, err)
		require.NotNil(f, guessed(file), name)
		f.Add(file)
	}
	f.Add([]byte(bodies.EVM(3)))
	f.Add([]byte(bodies.Ledger(3)))
	for _, seed := range []string{
		`{}`, `{"slot":0}`, `{"slot":1,"network":5}`, `{"blockHash":"0x1","slot":0}`, `{"blockHash":"0x1","SLOT":1}`, `{"timestamp":"noon","blockNumber":"0xa"}`,
		`{"blockHash":"0x1","transactions":[{"nonce":"0x1","value":"5","value":null}]}`, `{"blockNumber":1e2,"timestamp":1.5}`, `{"blockNumber":"","blockHash":"\ud800"}`,
		`{"blockHash":"0x1","timestamp":"","a":[{"b":{}}],"transactions":[{"logs":[{"topics":["a",null]},{"topics":[]}]}]}`, `{"slot":1,"blockHash":"0x1"}`, `{"blockNumber":99999999999999999999}`,
		`{"slot":1,"transactions":[{"meta":{"fee":"5","err":null}}]}`, `{"slot":1e2,"timestamp":1.5}`, `{"slot":"","blockHash":"\ud800"}`, `{"slot":"0x","a":[{"b":{}}]}`,
		`{"slot":1,"blockHash":"0x1","transactions":[{"transaction":{"message":{"instructions":[{"accounts":[0,null],"programIdIndex":2}]},"signatures":[]}}]}`,
		`{"slot":1,"transactions":[{"meta":{"err":{"InstructionError":[0,{"Custom":6001}]},"postBalances":["7",8]}}]}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if got := guessed(body); got != nil {
			require.Equal(t, ordinary(body), got)
		}
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
		require.Equal(t, string(body), string(d.Raw))
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
