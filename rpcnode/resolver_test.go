package rpcnode_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// TestResolverSaysUnknown: a node that does not know a table, or says nothing of
// it that can be read, leaves the guard where it is without a resolver. Any other
// failure keeps it from signing.
func TestResolverSaysUnknown(t *testing.T) {
	unknown := map[string]answers{
		"no such account":   says(200, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":9},"value":null}}`),
		"no value":          says(200, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":9}}}`),
		"another shape":     says(200, `{"jsonrpc":"2.0","id":1,"result":[1,2]}`),
		"not JSON":          says(200, "\x00\xff<html>"),
		"data in base58":    says(200, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":9},"value":{"lamports":1,"owner":"`+tableProgram+`","data":["1","base58"]}}}`),
		"data that is none": says(200, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":9},"value":{"lamports":1,"owner":"`+tableProgram+`","data":["?","base64"]}}}`),
	}
	for name, a := range unknown {
		_, err := onFake(t, a).LookupTable(t.Context(), signing.PublicKey{9})
		require.ErrorIs(t, err, signing.ErrUnknown, name)
		require.True(t, errors.Is(err, walletfi.ErrNotFound) || errors.Is(err, walletfi.ErrDecode), "%s: %v", name, err)
	}
	known := map[string]answers{
		"no table":   holds("11111111111111111111111111111111", tableData(0, 1), new(int)),
		"refused":    says(401, `{}`),
		"no method":  says(200, `{"error":{"code":-32601,"message":"Method not found"}}`),
		"no address": func(w http.ResponseWriter, _ string, _ []json.RawMessage) { w.WriteHeader(404) },
	}
	for name, a := range known {
		_, err := onFake(t, a).LookupTable(t.Context(), signing.PublicKey{9})
		require.Error(t, err, name)
		require.NotErrorIs(t, err, signing.ErrUnknown, name)
	}
	require.Len(t, unknown, 6)
}
