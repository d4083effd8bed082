package chart

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestZeroHasNoSign on an axis that begins below 0.
func TestZeroHasNoSign(t *testing.T) {
	var labels []string
	for _, tick := range (values{}).Ticks(-0.04, 0.5) {
		labels = append(labels, tick.Label)
	}
	require.Equal(t, []string{"0.0", "0.1", "0.2", "0.3", "0.4", "0.5"}, labels)
}
