package rpcnode_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go/rpc/jsonrpc"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/rpcnode/solanago"
)

// rawNode is a client on a node that gets the whole request and whose answer is not touched.
func rawNode(t *testing.T, answer func(body json.RawMessage) string) *rpcnode.Client {
	t.Helper()
	carrier := wiretest.InMemory(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body json.RawMessage
		if json.NewDecoder(r.Body).Decode(&body) == nil {
			fmt.Fprint(w, answer(body))
		}
	}))
	node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret("http://localhost"), HTTPClient: &http.Client{Transport: carrier}})
	require.NoError(t, err)
	node.SkipPauses()
	return node
}

// TestAnswerToAnotherRequest: a proxy that confuses requests gives another one's answer. It
// is an error, and of a transaction that was sent nothing is known.
func TestAnswerToAnotherRequest(t *testing.T) {
	tx := signedOffline(t)
	refusal := `"error":{"code":-32602,"message":"no"}`
	for _, row := range []struct {
		answer  string // ID is the request's, NEXT the next one's
		read    bool   // whether it is an answer
		unknown bool   // whether the transaction may have been sent
	}{
		{`{"jsonrpc":"2.0","id":ID,"result":7}`, true, true},
		{`{"jsonrpc":"2.0","id":NEXT,"result":7}`, false, true},
		{`{"jsonrpc":"2.0","id":"ID","result":7}`, false, true},
		{`{"jsonrpc":"2.0","id":ID.0,"result":7}`, false, true},
		{`{"jsonrpc":"2.0","id":null,"result":7}`, false, true},
		{`{"jsonrpc":"2.0","result":7}`, false, true},
		{`{"id":ID,"result":7}`, false, true},
		{`{"jsonrpc":"1.0","id":ID,"result":7}`, false, true},
		{`{"jsonrpc":"2.0","id":ID,` + refusal + `}`, false, false},
		{`{"jsonrpc":"2.0","id":null,` + refusal + `}`, false, false},
		{`{` + refusal + `}`, false, false},
		{`{"jsonrpc":"2.0","id":NEXT,` + refusal + `}`, false, true},
	} {
		node := rawNode(t, func(body json.RawMessage) string {
			var call struct{ ID uint64 }
			require.NoError(t, json.Unmarshal(body, &call))
			return strings.NewReplacer("ID", fmt.Sprint(call.ID), "NEXT", fmt.Sprint(call.ID+1)).Replace(row.answer)
		})
		height, err := node.BlockHeight(t.Context())
		if row.read {
			require.NoError(t, err, row.answer)
			require.EqualValues(t, 7, height)
		} else {
			require.Error(t, err, row.answer)
		}
		_, err = node.Submit(t.Context(), tx)
		if row.unknown {
			require.ErrorIs(t, err, walletfi.ErrOutcomeUnknown, row.answer)
		} else {
			require.ErrorIs(t, err, walletfi.ErrNotSent, row.answer)
		}
	}
}

// TestBatchOfAnotherRequest: each request has one answer, in whatever order they come.
func TestBatchOfAnotherRequest(t *testing.T) {
	for _, row := range []struct {
		ids  string // of the answers: a and b are the requests'
		want bool
	}{
		{"a b", true}, {"b a", true}, {"a a", false}, {"a", false}, {"a b a", false}, {"a c", false}, {"0 1", false}, {"null null", false},
	} {
		node := rawNode(t, func(body json.RawMessage) string {
			var calls []struct{ ID uint64 }
			require.NoError(t, json.Unmarshal(body, &calls))
			require.Len(t, calls, 2)
			ids := strings.NewReplacer(
				"a", fmt.Sprint(calls[0].ID), "b", fmt.Sprint(calls[1].ID), "c", fmt.Sprint(calls[1].ID+1)).Replace(row.ids)
			var answers []string
			for _, id := range strings.Fields(ids) {
				answers = append(answers, fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":"of %s"}`, id, id))
			}
			return "[" + strings.Join(answers, ",") + "]"
		})
		answers, err := solanago.RPC(node).RPCCallBatch(t.Context(), jsonrpc.RPCRequests{{Method: "x"}, {Method: "y"}})
		if !row.want {
			require.ErrorIs(t, err, walletfi.ErrDecode, row.ids)
			continue
		}
		require.NoError(t, err, row.ids)
		require.Len(t, answers, 2)
		require.ElementsMatch(t, []any{0, 1}, []any{answers[0].ID, answers[1].ID}, "the places of the requests")
	}
}

// TestHigherThanItsSlot: each block has a slot of its own.
func TestHigherThanItsSlot(t *testing.T) {
	node := onFake(t, says(200, `{"jsonrpc":"2.0","id":1,"result":{"absoluteSlot":100,"blockHeight":101}}`))
	_, err := node.Head(t.Context())
	require.ErrorIs(t, err, walletfi.ErrDecode)
	node = onFake(t, says(200, `{"jsonrpc":"2.0","id":1,"result":{"blockhash":"x","previousBlockhash":"y","parentSlot":99,"blockHeight":101}}`))
	node.SkipPauses()
	_, err = node.FinalBlock(t.Context(), 100)
	require.ErrorIs(t, err, walletfi.ErrDecode)
}
