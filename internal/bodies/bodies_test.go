package bodies

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBodies are JSON, and as large as those of the services.
func TestBodies(t *testing.T) {
	for name, body := range map[string]struct {
		text      string
		kilobytes int
	}{
		"pools": {Pools(20), 32}, "candles": {Candles(1000), 110}, "trades": {Trades(300), 201},
		"book": {Book(400), 14}, "EVM": {EVM(320), 469}, "ledger": {Ledger(260), 280},
	} {
		require.True(t, json.Valid([]byte(body.text)), name)
		require.InDelta(t, body.kilobytes, len(body.text)/1000, float64(body.kilobytes)/10, name)
	}
}
