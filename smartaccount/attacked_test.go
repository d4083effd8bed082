package smartaccount_test

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// TestAttackedPendingTransaction: only a transaction that landed must say where, and what it cost.
func TestAttackedPendingTransaction(t *testing.T) {
	const whole = `{"id":"tx_1","signature":"Sig1111111111111111111111111111111111111111111111111111111111111","status":"confirmed","instructions":[],"fee":"5000","slot":5}`
	get := func(body string) error {
		tx, err := client(t, wiretest.Serve(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, body) }).URL).GetTransaction(t.Context(), "acc_1", "tx_1")
		require.Equal(t, err == nil, tx != nil)
		return err
	}
	require.NoError(t, get(whole))
	for member, is := range map[string]string{"slot": `,"slot":5`, "fee": `,"fee":"5000"`} {
		for _, said := range []string{"", `,"` + member + `":null`, `,"` + member + `":""`} {
			body := strings.Replace(whole, is, said, 1)
			require.NotEqual(t, whole, body)
			require.ErrorIs(t, get(body), walletfi.ErrDecode, body)
			require.ErrorContains(t, get(body), "Transaction."+member, body)
			require.ErrorIs(t, get(strings.Replace(body, "confirmed", "finalized", 1)), walletfi.ErrDecode, body)
			for _, status := range []string{"pending", "Processing", "failed"} {
				require.NoError(t, get(strings.Replace(body, "confirmed", status, 1)), "%s: %s", status, body)
			}
		}
	}
}
