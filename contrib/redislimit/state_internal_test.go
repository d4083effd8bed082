package redislimit

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReportedCapsTheLedger: what was noted by a clock that was ahead comes free a window
// after the report at the latest, and nothing is lost.
func TestReportedCapsTheLedger(t *testing.T) {
	windows := [][3]int64{{5, 10_240, 10}}
	s := state{sent: make([]ledger, 1)}
	s.note(windows, 1_000_000_000, 3)
	s.note(windows, 500, 1)
	s.reported(windows, answer{epoch: "e", now: 1000}, 0)
	require.Equal(t, ledger{(500+10_240)/10 + 1: 1, (1000+10_240)/10 + 1: 3}, s.sent[0])
}
