package walletfi_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
)

// TestTimeBeyondRFC3339: milliseconds taken for seconds, and the like, are
// written as they can be read again.
func TestTimeBeyondRFC3339(t *testing.T) {
	for text, want := range map[string]string{
		`1700000000000`:               `1700000000000`,
		`1700000000000.25`:            `1700000000000.250000000`,
		`-99999999999.5`:              `-99999999999.500000000`,
		`"2026-01-02T03:04:05+24:00"`: `1767236645`,
		`253402300799`:                `"9999-12-31T23:59:59Z"`,
		`253402300800`:                `253402300800`,
	} {
		var read, again walletfi.Time
		require.NoError(t, json.Unmarshal([]byte(text), &read), text)
		written, err := json.Marshal(read)
		require.NoError(t, err)
		require.Equal(t, want, string(written))
		require.NoError(t, json.Unmarshal(written, &again))
		require.True(t, read.Equal(again.Time), text)
	}
}
