package walletfi_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// TestTimeIsWrittenAsItIsRead: what was read is written so that it is read as the
// same time.
func TestTimeIsWrittenAsItIsRead(t *testing.T) {
	for text, want := range map[string]string{
		`1700000000000`:               `"2023-11-14T22:13:20Z"`, // milliseconds
		`1700000000000.25`:            `"2023-11-14T22:13:20.00025Z"`,
		`1700000000000001`:            `"2023-11-14T22:13:20.000001Z"`, // microseconds
		`"2026-01-02T03:04:05+24:00"`: `"2026-01-01T03:04:05Z"`,
		`"2026-01-02T03:04:05+0200"`:  `"2026-01-02T03:04:05+02:00"`,
		`"20260102T030405Z"`:          `"2026-01-02T03:04:05Z"`,
		`"2026-01-02T03:04Z"`:         `"2026-01-02T03:04:00Z"`,
		`"20260102"`:                  `"2026-01-02T00:00:00Z"`,
		`20260102`:                    `"1970-08-23T11:48:22Z"`,
		`253402300799`:                `"9999-12-31T23:59:59Z"`,
	} {
		var read, again walletfi.Time
		require.NoError(t, json.Unmarshal([]byte(text), &read), text)
		written, err := json.Marshal(read)
		require.NoError(t, err)
		require.Equal(t, want, string(written), text)
		require.NoError(t, json.Unmarshal(written, &again))
		require.True(t, read.Equal(again.Time), text)
	}
}

// TestTimeBeyondFourDigits: no year of five digits is read or written.
func TestTimeBeyondFourDigits(t *testing.T) {
	for _, text := range []string{`253402300800000000`, `"10000-01-01T00:00:00Z"`, `"56804-01-01"`, `-99999999999.5`} {
		var got walletfi.Time
		require.Error(t, json.Unmarshal([]byte(text), &got), text)
		require.True(t, got.IsZero(), text)
	}
	_, err := json.Marshal(walletfi.Time{Time: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)})
	require.Error(t, err)
}
