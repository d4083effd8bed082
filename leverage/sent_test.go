package leverage_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// TestSentOfAnother: an answer that names another transaction says nothing of what was sent.
func TestSentOfAnother(t *testing.T) {
	own, isSigned := walletfi.TransactionSignature(signedTransaction())
	require.True(t, isSigned)
	second, alsoSigned := walletfi.TransactionSignature(transactionSigned(8))
	require.True(t, alsoSigned)
	for _, op := range []string{"SendTransaction", "SendBundle"} {
		for _, body := range []string{
			`{"signature":"` + wiretest.Signature(9) + `"}`, `{"data":{"signature":"` + wiretest.Signature(9) + `"}}`,
		} {
			c, _ := carriedClient(t, ok(body))
			_, err := relays(t, c)[op]()
			unknown := wiretest.As[*walletfi.OutcomeUnknownError](t, err, body)
			require.Equal(t, own, unknown.Signature)
			require.ErrorIs(t, err, walletfi.ErrMismatch, body)
		}
		for _, body := range []string{`{"signature":"` + own + `"}`, `{"signature":"job-9"}`, `{"bundleId":"` + wiretest.Signature(9) + `"}`} {
			c, _ := carriedClient(t, ok(body))
			sent, err := relays(t, c)[op]()
			require.NoError(t, err, body)
			require.Equal(t, own, sent.Signature)
		}
	}
	c, _ := carriedClient(t, ok(`"`+wiretest.Signature(9)+`"`))
	require.ErrorIs(t, wiretest.Error(relays(t, c)["SendTransaction"]()), walletfi.ErrMismatch, "a bare signature")
	c, _ = carriedClient(t, ok(`{"signature":"`+second+`"}`))
	_, err := relays(t, c)["SendBundle"]()
	require.NoError(t, err, "the second of the bundle")
}
