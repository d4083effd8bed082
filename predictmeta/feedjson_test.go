package predictmeta_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/predictmeta"
)

// TestEventsWithAnErrorRefuseJSON: what cannot be restored is not written.
func TestEventsWithAnErrorRefuseJSON(t *testing.T) {
	for _, event := range []any{
		predictmeta.Disconnected{}, &predictmeta.Disconnected{}, predictmeta.RetryFailed{}, &predictmeta.RetryFailed{},
		predictmeta.BookRefresh{}, &predictmeta.BookRefresh{},
	} {
		_, err := json.Marshal(event)
		require.ErrorContains(t, err, "is not stored", "%T", event)
	}
}
