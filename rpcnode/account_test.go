package rpcnode_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/signing"
)

// TestAccounts: the states come in order, of 100 accounts a call; one that does not exist is
// all zero, and an answer of too few is an error.
func TestAccounts(t *testing.T) {
	var calls []int
	short := 0
	node := onFake(t, func(w http.ResponseWriter, method string, params []json.RawMessage) {
		require.Equal(t, "getMultipleAccounts", method)
		var keys []string
		require.NoError(t, json.Unmarshal(params[0], &keys))
		calls = append(calls, len(keys))
		values := []string{"null"}
		for i := range keys[1+short:] {
			values = append(values, accountJSON(uint64(i+1)))
		}
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":7},"value":[%s]}}`, strings.Join(values, ","))
	})
	got, err := node.Accounts(t.Context(), make([]signing.PublicKey, 150))
	require.NoError(t, err)
	require.Equal(t, []int{100, 50}, calls)
	require.Len(t, got, 150)
	require.Zero(t, got[0])
	require.EqualValues(t, 1, got[1].Lamports)
	require.EqualValues(t, 49, got[149].Lamports)
	short = 1
	_, err = node.Accounts(t.Context(), make([]signing.PublicKey, 3))
	require.Error(t, err)
}

// TestAccountsSince: a node that has not reached the slot is told not to answer.
func TestAccountsSince(t *testing.T) {
	var since any
	node := onFake(t, func(w http.ResponseWriter, _ string, params []json.RawMessage) {
		var config map[string]any
		require.NoError(t, json.Unmarshal(params[1], &config))
		since = config["minContextSlot"]
		fmt.Fprint(w, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":70},"value":[null]}}`)
	})
	got, err := node.AccountsSince(t.Context(), make([]signing.PublicKey, 1), 69)
	require.NoError(t, err)
	require.Len(t, got, 1)
	require.EqualValues(t, 69, since)
}
