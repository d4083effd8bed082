package webhooks

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestNonceCharacters: every visible ASCII character but those that begin a body.
func TestNonceCharacters(t *testing.T) {
	for c := range rune(0x180) {
		refused := c <= ' ' || c == '{' || c == '[' || c > '~'
		require.Equal(t, refused, notInNonce(c), "%q", c)
	}
}

func TestTimestampCharacters(t *testing.T) {
	for _, good := range []string{"1767225600", "9767225600", "1767225600000", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00.9+01:00"} {
		_, err := timestamp(good)
		require.NoError(t, err, good)
	}
	for _, bad := range []string{"", "/", ":", "17672256:0x", "1767225600.5", "x2026-01-01T00:00:00Z", "-1", "1e9"} {
		_, err := timestamp(bad)
		require.Error(t, err, bad)
	}
}

// TestInboxWaitDoubles: up to its longest, or to a RetryWait that is longer.
func TestInboxWaitDoubles(t *testing.T) {
	for _, row := range []struct {
		first time.Duration
		want  []time.Duration // after 1, 2, ... failures
	}{
		{maxInboxWait / 4, []time.Duration{maxInboxWait / 4, maxInboxWait / 2, maxInboxWait, maxInboxWait}},
		{maxInboxWait/2 + 1, []time.Duration{maxInboxWait/2 + 1, maxInboxWait, maxInboxWait}},
		{maxInboxWait - 1, []time.Duration{maxInboxWait - 1, maxInboxWait, maxInboxWait}},
		{2 * maxInboxWait, []time.Duration{2 * maxInboxWait, 2 * maxInboxWait}},
	} {
		r := &Receiver{cfg: ReceiverConfig{RetryWait: row.first}}
		for i, want := range row.want {
			require.Equal(t, want, r.inboxWait(i+1), "%v after %d", row.first, i+1)
		}
	}
}

// TestTimestampFaults: what the error says, and what is at the edges of a digit.
func TestTimestampFaults(t *testing.T) {
	for text, want := range map[string]string{
		"": "neither", "17/7": "neither", "/1767": "neither", ":1767": "neither", ";176": "neither", "17672256.5": "neither",
		"17:67": "not a time", "99999999999999999999999": "not a time",
	} {
		_, err := timestamp(text)
		require.ErrorContains(t, err, want, text)
	}
	for _, early := range []string{"0", "0999-01-01T00:00:00Z"} {
		_, err := timestamp(early)
		require.NoError(t, err, early)
	}
}

// TestStandardBounds: what the fields of a Verifier say.
func TestStandardBounds(t *testing.T) {
	var v Verifier
	require.EqualValues(t, 32<<20, v.maxBody())
	require.Equal(t, 3*time.Hour, v.maxAge())
	require.Equal(t, 5*time.Minute, v.maxAhead())
	require.Equal(t, 10*time.Second, storeTimeout)
}
