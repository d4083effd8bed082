package webhooks

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/internal/race"
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

// TestUnfinishedIsBounded, and forgets what nothing happened to for the longest time.
func TestUnfinishedIsBounded(t *testing.T) {
	var u unfinished
	for n := range 2 * maxUnfinished {
		require.Equal(t, 1, u.failed(fmt.Sprint(n)))
	}
	require.Equal(t, 2, u.failed("0"), "all are known")
	require.Zero(t, u.failures("1"), "the oldest are forgotten when there is another")
	require.Equal(t, 1, u.failures(fmt.Sprint(maxUnfinished)))
	u.handled(fmt.Sprint(maxUnfinished))
	require.True(t, u.isHandled(fmt.Sprint(maxUnfinished)))
	require.Equal(t, 1, u.failures(fmt.Sprint(maxUnfinished)), "of either map")
	for n := range maxUnfinished {
		u.failed(fmt.Sprint("new", n))
	}
	require.Equal(t, 2, u.failures("0"))
	require.Zero(t, u.failures(fmt.Sprint(maxUnfinished+1)))
	require.LessOrEqual(t, len(u.latest)+len(u.earlier), 2*maxUnfinished)
	u.forget("0")
	u.forget("new1")
	require.Zero(t, u.failures("0"))
	require.Equal(t, 1, u.failed("new1"), "forgotten, and counted from the first one again")
}

// TestVerifyingReusesMemory: a body is read into a buffer that is kept, and copied once,
// so that a forged one costs no memory.
func TestVerifyingReusesMemory(t *testing.T) {
	body := append([]byte("{"), make([]byte, 900<<10)...)
	const turns = 20
	spent := func(verify func(dst []byte) ([]byte, error)) float64 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range turns {
			_, _ = inScratch(verify)
		}
		runtime.ReadMemStats(&after)
		return float64(after.TotalAlloc-before.TotalAlloc) / float64(turns*len(body))
	}
	genuine := func(dst []byte) ([]byte, error) {
		return readHashed(dst, bytes.NewReader(body), sha256.New(), 1<<30, int64(len(body)))
	}
	_, err := inScratch(genuine)
	require.NoError(t, err)
	require.Less(t, spent(genuine), 1.5*race.Factor)
}
