package smartaccount

import (
	"testing"

	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// TestDecoders holds the decoders to the json tags of each struct.
func TestDecoders(t *testing.T) {
	t.Run("created", wiretest.Decoder[created[Session]]{}.Run)
}
