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

func TestLedgerByHandAsOrdinary(t *testing.T) {
	file, err := os.ReadFile("testdata/ledger.json")
	require.NoError(t, err)
	for name, body := range map[string]string{
		"edges": string(file), "full": bodies.Ledger(200), "least": `{"slot":1}`, "quoted slot": `{"slot":"7"}`, "hex slot": `{"slot":"0x7"}`,
		"no list": `{"slot":1,"transactions":null}`, "empty list": `{"slot":1,"transactions":[]}`, "an EVM chain's members": `{"slot":1,"blockHash":"0x1","blockNumber":3}`,
		"nulls": `{"webhookId":null,"network":null,"timestamp":null,"slot":1,"transactions":[{"signature":null,"meta":null,"transaction":null},` +
			`{"meta":{"fee":null,"preBalances":null,"postBalances":[null],"err":null},"transaction":{"message":{"accountKeys":[null],"instructions":[null,{"accounts":null}]},"signatures":null}}]}`,
		"unknown": `{"slot":1,"chain":{"Slot":[1,{}]},"transactions":[{"version":0,"meta":{"logMessages":["a"]},"transaction":{"message":{"header":{}}}}]}`,
		"escapes": `{"slot":1,"network":"\u00e9\"","transactions":[{"meta":{"err":{"\u0061":"\n"}}}]}`,
		"blanks":  "{\"slot\":1,\"transactions\":[{\"meta\":{\"err\": { \"a\" : [ 1 ] } ,\n\"fee\" : \"18446744073709551615\"}}]}",
	} {
		got := fast([]byte(body))
		require.NotNil(t, got, name)
		require.NotNil(t, got.Ledger, name)
		require.Equal(t, ordinary([]byte(body)), got, name)
	}
}

// TestLedgerByHandDeclines what the ordinary way must judge.
func TestLedgerByHandDeclines(t *testing.T) {
	for _, body := range []string{
		`{"slot":0}`, `{"slot":""}`, `{"slot":null}`, `{"slot":1`, `{"slot":1}}`, `{"Slot":1}`, `{"slot":1,"slot":2}`, `{"slot":-1}`, `{"slot":"x"}`, `{"slot":{}}`,
		`{"slot":1,"network":5}`, `{"slot":1,"timestamp":"noon"}`, `{"slot":1,"transactions":{}}`, `{"slot":1,"transactions":[],"transactions":[]}`,
		`{"slot":1,"transactions":[null]}`, `{"slot":1,"transactions":[{"Signature":"a"}]}`, `{"slot":1,"transactions":[{"meta":[]}]}`,
		`{"slot":1,"transactions":[{"meta":{"fee":1.5}}]}`, `{"slot":1,"transactions":[{"meta":{"fee":-1}}]}`, `{"slot":1,"transactions":[{"meta":{"fee":""}}]}`,
		`{"slot":1,"transactions":[{"meta":{"fee":18446744073709551616}}]}`, `{"slot":1,"transactions":[{"meta":{"preBalances":[1e3]}}]}`,
		`{"slot":1,"transactions":[{"meta":{"err":nil}}]}`, `{"slot":1,"transactions":[{"meta":{"err":"\q"}}]}`, `{"slot":1,"transactions":[{"meta":{"err":1,"err":2}}]}`,
		`{"slot":1,"transactions":[{"transaction":{"message":{"accountKeys":[1]}}}]}`, `{"slot":1,"transactions":[{"transaction":{"signatures":{}}}]}`,
		`{"slot":1,"transactions":[{"transaction":{"message":{"instructions":[{"programIdIndex":-1}]}}}]}`,
		`{"slot":1,"transactions":[{"transaction":{"message":{"instructions":[{"accounts":["0"]}]}}}]}`, "{\"slot\":1,\"network\":\"\xff\"}",
	} {
		assert.Nil(t, fast([]byte(body)), body)
	}
}

// TestLedgerBodiesAreReadOnce: the usual delivery never takes the ordinary way, which
// reads it twice and by reflection.
func TestLedgerBodiesAreReadOnce(t *testing.T) {
	body := []byte(bodies.Ledger(50))
	late := []byte(strings.Replace(string(body[:len(body)-1]), `"slot":310000001,`, "", 1) + `,"slot":310000001}`)
	require.NotNil(t, fast(late).Ledger, "the slot after the transactions")
	var payload LedgerPayload
	once := testing.AllocsPerRun(10, func() { require.True(t, scanLedger(body, &payload)); payload = LedgerPayload{} })
	whole := testing.AllocsPerRun(10, func() { require.NotNil(t, ParseDelivery(body).Ledger) })
	require.InDelta(t, once, whole, 20, "allocations of a delivery and of its payload alone")
	require.Less(t, whole, 4*50.0, "lists share arrays")
}

// TestLedgerListsAreApart: what shares an array must not show when one is grown.
func TestLedgerListsAreApart(t *testing.T) {
	var p LedgerPayload
	require.True(t, scanLedger([]byte(bodies.Ledger(200)), &p))
	require.Len(t, p.Transactions, 200)
	before, err := json.Marshal(p.Transactions[1:])
	require.NoError(t, err)
	first := &p.Transactions[0]
	message := &first.Transaction.Message
	message.Instructions[0].Accounts = append(message.Instructions[0].Accounts, 99)
	message.Instructions = append(message.Instructions, LedgerInstruction{Data: "spilt"})
	message.AccountKeys = append(message.AccountKeys, "spilt")
	first.Transaction.Signatures = append(first.Transaction.Signatures, "spilt")
	first.Meta.PreBalances = append(first.Meta.PreBalances, 99)
	first.Meta.PostBalances = append(first.Meta.PostBalances, 99)
	first.Meta.Err = append(first.Meta.Err, "spilt"...)
	after, err := json.Marshal(p.Transactions[1:])
	require.NoError(t, err)
	require.Equal(t, string(before), string(after))
}

// FuzzLedgerByHand holds the fast path to the ordinary one: neither laxer nor
// stricter, and the same values.
func FuzzLedgerByHand(f *testing.F) {
	file, err := os.ReadFile("testdata/ledger.json")
	require.NoError(f, err)
	f.Add(file)
	f.Add([]byte(bodies.Ledger(3)))
	for _, seed := range []string{
		`{"slot":1,"transactions":[{"meta":{"fee":"5","err":null}}]}`, `{"slot":1e2,"timestamp":1.5}`, `{"slot":"","blockHash":"\ud800"}`, `{"slot":"0x","a":[{"b":{}}]}`,
		`{"slot":1,"blockHash":"0x1","transactions":[{"transaction":{"message":{"instructions":[{"accounts":[0,null],"programIdIndex":2}]},"signatures":[]}}]}`,
		`{"slot":1,"transactions":[{"meta":{"err":{"InstructionError":[0,{"Custom":6001}]},"postBalances":["7",8]}}]}`,
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
