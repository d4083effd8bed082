package walletfi_test

import (
	"encoding/json"
	"math/rand/v2"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
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

// TestTimeIsWrittenAsItIsRead: what was read is written so that it is read as the
// same time.
func TestTimeIsWrittenAsItIsRead(t *testing.T) {
	for text, want := range map[string]string{
		`1700000000000`:               `"2023-11-14T22:13:20Z"`, // milliseconds
		`1700000000000.25`:            `"2023-11-14T22:13:20.00025Z"`,
		`1700000000000001`:            `"2023-11-14T22:13:20.000001Z"`, // microseconds
		`"2026-01-02T03:04:05+24:00"`: `"2026-01-01T03:04:05Z"`,
		`"2026-01-02T03:04:05+0200"`:  `"2026-01-02T03:04:05+02:00"`,
		`"20260102T030405Z"`:          `"2026-01-02T03:04:05Z"`,
		`"2026-01-02T03:04Z"`:         `"2026-01-02T03:04:00Z"`,
		`"20260102"`:                  `"2026-01-02T00:00:00Z"`,
		`20260102`:                    `"1970-08-23T11:48:22Z"`,
		`253402300799`:                `"9999-12-31T23:59:59Z"`,
	} {
		var read, again walletfi.Time
		require.NoError(t, json.Unmarshal([]byte(text), &read), text)
		written, err := json.Marshal(read)
		require.NoError(t, err)
		require.Equal(t, want, string(written), text)
		require.NoError(t, json.Unmarshal(written, &again))
		require.True(t, read.Equal(again.Time), text)
	}
}

// TestTimeBeyondFourDigits: no year of five digits is read or written.
func TestTimeBeyondFourDigits(t *testing.T) {
	for _, text := range []string{`253402300800000000`, `"10000-01-01T00:00:00Z"`, `"56804-01-01"`, `-99999999999.5`} {
		var got walletfi.Time
		require.Error(t, json.Unmarshal([]byte(text), &got), text)
		require.True(t, got.IsZero(), text)
	}
	_, err := json.Marshal(walletfi.Time{Time: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)})
	require.Error(t, err)
}

// TestUnsignedSurvivesJSON: what is built in one request can be signed in the next.
func TestUnsignedSurvivesJSON(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		var u, read walletfi.Unsigned
		wiretest.Fill(random, &u)
		u.Transactions = append(u.Transactions, walletfi.Base58Transaction("3xY"))
		text, err := json.Marshal(u)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(text, &read))
		require.Equal(t, u, read)
		for i := range reflect.TypeOf(u.Intent).NumField() {
			require.False(t, reflect.ValueOf(u.Intent).Field(i).IsZero(), "field %d was not filled", i)
		}
	}
}

// TestUnsignedJSON: one naming, amounts as text, and what cannot be restored is
// refused.
func TestUnsignedJSON(t *testing.T) {
	u := walletfi.Unsigned{
		Transactions: []walletfi.EncodedTransaction{walletfi.Base58Transaction("3xY")},
		Intent: walletfi.Intent{
			Service: "swap", Owner: "o", Spend: []walletfi.Asset{{Mint: "m", Amount: 1<<64 - 1}}, PayTo: []string{"p"},
			MaxRentLamports: new(walletfi.Amount(0)),
		},
		LastValidBlockHeight: 9,
	}
	text, err := json.Marshal(u)
	require.NoError(t, err)
	require.Equal(t, `{"transactions":[{"encoding":"base58","transaction":"3xY"}],"intent":{"service":"swap","owner":"o",`+
		`"spend":[{"mint":"m","amount":"18446744073709551615"}],"maxRentLamports":"0","payTo":["p"]},"lastValidBlockHeight":9}`, string(text))

	_, err = json.Marshal(walletfi.Unsigned{Transactions: []walletfi.EncodedTransaction{nil}})
	require.ErrorContains(t, err, "transaction 0 is nil")
	err = json.Unmarshal([]byte(`{"transactions":[{"encoding":"hex","transaction":"00"}]}`), &u)
	require.ErrorIs(t, err, walletfi.ErrDecode)
	for _, lost := range []string{`{}`, `null `, `{"transactions":[]}`, `{"transactions":[],"intents":{}}`, `{"intent":{}}`, `{"transactions":[],"intent":null}`} {
		read := new(walletfi.Unsigned)
		require.ErrorIs(t, read.UnmarshalJSON([]byte(lost)), walletfi.ErrDecode, lost)
		require.Equal(t, new(walletfi.Unsigned), read)
	}
}

// TestUnsignedIsExact: two readers of a stored set cannot differ about what it says.
func TestUnsignedIsExact(t *testing.T) {
	const whole = `{"transactions":[{"encoding":"base58","transaction":"3xY"}],"intent":{"service":"swap","owner":"o",` +
		`"spend":[{"mint":"m","amount":"5"}],"asked":{"a":"b","Any":"name"}},"blockhash":"h"}`
	require.NoError(t, new(walletfi.Unsigned).UnmarshalJSON([]byte(whole)))
	for old, odd := range map[string]string{
		`"blockhash":"h"`:    `"blockhash":"h","Blockhash":"i"`,
		`"transactions":`:    `"Transactions":`,
		`"base58",`:          `"base58","encoding":"base58",`,
		`"encoding"`:         `"Encoding"`,
		`"owner":"o"`:        `"owner":"o","owner":"o"`,
		`"service"`:          `"\u0053ervice"`,
		`"spend":[`:          `"spend":[{"mint":"m","amount":"4","Amount":"6"},`,
		`"intent":{`:         `"intent":{"maxSpend":"1",`,
		`"amount":"5"`:       `"amount":"5","decimals":6`,
		`"a":"b"`:            `"a":"b","a":"c"`,
		`,"asked"`:           `,"Owner":"p","asked"`,
		`{"transactions":[{`: `{"version":2,"transactions":[{`,
	} {
		text := strings.Replace(whole, old, odd, 1)
		require.NotEqual(t, whole, text)
		read := new(walletfi.Unsigned)
		require.ErrorIs(t, read.UnmarshalJSON([]byte(text)), walletfi.ErrDecode, text)
		require.Equal(t, new(walletfi.Unsigned), read)
	}
}
