package kit_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

// TestStrictTable prints what each route checks and what it leaves open.
func TestStrictTable(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	s.Lock()
	all := s.Declarations()
	s.Unlock()
	require.Len(t, all, 154)
	rules, open := 0, 0
	for _, d := range all {
		require.NotEmpty(t, d.Rules, d.Route)
		rules, open = rules+len(d.Rules), open+len(d.Open)
		t.Logf("%s | checked: %s | open: %s", d.Route, strings.Join(d.Rules, "; "), strings.Join(d.Open, "; "))
	}
	t.Logf("154 routes, %d rules checked, %d left open", rules, open)
}
