package walletfi_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// TestSlippage: not stated, auto, 0 and a number stay apart, in a query and in JSON.
func TestSlippage(t *testing.T) {
	for _, row := range []struct {
		slippage walletfi.Slippage
		text     string
		bps      int
		fixed    bool
		json     string
	}{
		{walletfi.Slippage{}, "", 0, false, `null`},
		{walletfi.AutoSlippage(), "auto", 0, false, `"auto"`},
		{walletfi.SlippageBps(0), "0", 0, true, `0`},
		{walletfi.SlippageBps(10_000), "10000", 10_000, true, `10000`},
	} {
		require.Equal(t, row.text, row.slippage.String())
		require.Equal(t, row.text == "", row.slippage.IsZero())
		bps, fixed := row.slippage.Bps()
		require.Equal(t, row.bps, bps)
		require.Equal(t, row.fixed, fixed)
		values := url.Values{}
		require.NoError(t, row.slippage.EncodeValues("s", &values))
		require.Equal(t, row.text, values.Get("s"))
		require.Equal(t, row.text != "", values.Has("s"))
		written, err := json.Marshal(row.slippage)
		require.NoError(t, err)
		require.Equal(t, row.json, string(written))
		read := walletfi.SlippageBps(7)
		require.NoError(t, json.Unmarshal(written, &read))
		require.Equal(t, row.slippage, read)
	}
}

// TestSlippageOfAnAnswer: services quote numbers, or do not.
func TestSlippageOfAnAnswer(t *testing.T) {
	var read struct{ A, B, C walletfi.Slippage }
	require.NoError(t, json.Unmarshal([]byte(`{"a":"50","b":""}`), &read))
	require.Equal(t, walletfi.SlippageBps(50), read.A)
	require.Zero(t, read.B)
	require.Zero(t, read.C)
	for _, wrong := range []string{`"much"`, `0.5`, `{}`, `true`, `1e2`} {
		require.ErrorIs(t, json.Unmarshal([]byte(wrong), &read.A), walletfi.ErrDecode, wrong)
	}
}
