package walletfi_test

import (
	"encoding/json"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

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
