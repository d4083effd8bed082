package otelwalletfi

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/observe"
)

// TestDoor: a submitter that lands nothing is shown until it lands again.
func TestDoor(t *testing.T) {
	r := newRig(t, false)
	r.Observe(t.Context(), observe.Door{Name: "a relay", Trials: 64})
	r.Observe(t.Context(), observe.Door{Name: "a node", Trials: 70})
	require.Contains(t, r.scrape(t), `walletfi_door="a relay"} 64`)
	r.Observe(t.Context(), observe.Door{Name: "a relay", Lands: true, Trials: 64})
	scrape := r.scrape(t)
	require.Contains(t, scrape, `walletfi_door="a relay"} 0`)
	require.Contains(t, scrape, `walletfi_door="a node"} 70`)
}
