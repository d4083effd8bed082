package rpcnode_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
)

const tableProgram = "AddressLookupTab1e1111111111111111111111111"

// tableData is a lookup table of n addresses, the i-th full of i+1.
func tableData(deactivated uint64, n int) []byte {
	data := make([]byte, 56)
	data[0] = 1
	binary.LittleEndian.PutUint64(data[4:], deactivated)
	for i := range n {
		for range 32 {
			data = append(data, byte(i+1))
		}
	}
	return data
}

// holds is a node on which every account is this one, at slot 1,000.
func holds(owner string, data []byte, calls *int) answers {
	return func(w http.ResponseWriter, _ string, _ []json.RawMessage) {
		*calls++
		fmt.Fprintf(w, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1000},"value":{"lamports":1,"owner":%q,"data":[%q,"base64"]}}}`,
			owner, base64.StdEncoding.EncodeToString(data))
	}
}

func TestLookupTable(t *testing.T) {
	calls := 0
	node := onFake(t, holds(tableProgram, tableData(math.MaxUint64, 3), &calls))
	table := signing.PublicKey{9}
	for range 2 {
		held, err := node.LookupTable(t.Context(), table)
		require.NoError(t, err)
		require.Len(t, held.Addresses, 3)
		require.EqualValues(t, 3, held.Addresses[2][31])
		held.Addresses[0] = signing.PublicKey{} // is a copy
	}
	require.Equal(t, 1, calls)
	lookup, err := node.LookupTable(t.Context(), table)
	require.NoError(t, err)
	require.EqualValues(t, 1, lookup.Addresses[0][0])
	_, err = node.LookupTable(t.Context(), signing.PublicKey{8})
	require.NoError(t, err)
	require.Equal(t, 2, calls)
}

func TestLookupTableOutlivesItsCache(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		handler := holds(tableProgram, tableData(math.MaxUint64, 1), &calls)
		node, err := rpcnode.New(rpcnode.Config{URL: walletfi.NewSecret("https://node"), HTTPClient: &http.Client{Transport: inMemory(handler)}})
		require.NoError(t, err)
		for range 2 {
			_, err := node.LookupTable(t.Context(), signing.PublicKey{9})
			require.NoError(t, err)
			<-time.After(31 * time.Second)
		}
		require.Equal(t, 2, calls)
	})
}

func TestLookupTableRefused(t *testing.T) {
	full := tableData(math.MaxUint64, 256)
	for name, c := range map[string]struct {
		owner string
		data  []byte
		want  string
	}{
		"foreign owner":     {"11111111111111111111111111111111", tableData(math.MaxUint64, 1), "belongs to program"},
		"too short":         {tableProgram, make([]byte, 55), "no initialised table"},
		"not initialised":   {tableProgram, make([]byte, 56), "no initialised table"},
		"half an address":   {tableProgram, tableData(math.MaxUint64, 1)[:80], "whole number of addresses"},
		"257 addresses":     {tableProgram, append(full, make([]byte, 32)...), "whole number of addresses"},
		"deactivated":       {tableProgram, tableData(400, 1), "deactivated in slot 400"},
		"just deactivated":  {tableProgram, tableData(487, 1), "deactivated in slot 487"},
		"still deactivates": {tableProgram, tableData(488, 1), ""},
		"256 addresses":     {tableProgram, full, ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := onFake(t, holds(c.owner, c.data, new(int))).LookupTable(t.Context(), signing.PublicKey{9})
			if c.want == "" {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, walletfi.ErrRejected)
			require.ErrorContains(t, err, c.want)
		})
	}
	_, err := onFake(t, says(200, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1},"value":null}}`)).LookupTable(t.Context(), signing.PublicKey{9})
	require.ErrorIs(t, err, walletfi.ErrNotFound)
}

func nonceData(version, state uint32) []byte {
	data := binary.LittleEndian.AppendUint32(nil, version)
	data = binary.LittleEndian.AppendUint32(data, state)
	authority, value := signing.PublicKey{1}, signing.PublicKey{2}
	data = append(append(data, authority[:]...), value[:]...)
	return binary.LittleEndian.AppendUint64(data, 5000)
}

func TestDurableNonce(t *testing.T) {
	system := solana.SystemProgramID.String()
	node := onFake(t, holds(system, nonceData(1, 1), new(int)))
	got, err := node.DurableNonce(t.Context(), signing.PublicKey{9})
	require.NoError(t, err)
	require.Equal(t, &rpcnode.DurableNonce{
		Account: signing.PublicKey{9}, Authority: signing.PublicKey{1}, Value: signing.PublicKey{2}, LamportsPerSignature: 5000,
	}, got)
	require.Equal(t, signing.Nonce{Account: signing.PublicKey{9}, Value: signing.PublicKey{2}}, got.Nonce())

	for name, a := range map[string]answers{
		"foreign owner":   holds(tableProgram, nonceData(1, 1), new(int)),
		"old version":     holds(system, nonceData(0, 1), new(int)),
		"not initialised": holds(system, nonceData(1, 0), new(int)),
		"cut short":       holds(system, nonceData(1, 1)[:79], new(int)),
	} {
		_, err := onFake(t, a).DurableNonce(t.Context(), signing.PublicKey{9})
		require.ErrorIs(t, err, walletfi.ErrRejected, name)
	}
	_, err = onFake(t, says(200, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":1},"value":null}}`)).DurableNonce(t.Context(), signing.PublicKey{9})
	require.ErrorIs(t, err, walletfi.ErrNotFound)
}
