package wiretest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/lenient"
)

// TakenByHand reads a body with a reader that is not encoding/json's and in the ordinary
// way. It reports whether the reader took it: then the ordinary way does too, and finds
// the same but for what drop takes away. Nil drops nothing.
func TakenByHand[T any](t *testing.T, body []byte, byHand func([]byte, *T) bool, drop func(*T)) bool {
	t.Helper()
	var got, want T
	if !byHand(body, &got) {
		return false
	}
	require.NoError(t, lenient.Unmarshal(body, &want), "laxer than the ordinary way: %s", body)
	if drop != nil {
		drop(&want)
	}
	require.Equal(t, want, got, "%s", body)
	return true
}
