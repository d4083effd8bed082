package instant_test

import (
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/instant"
)

// TestForms: each text is the same instant.
func TestForms(t *testing.T) {
	at := func(hour, minute, second, nanos int) time.Time {
		return time.Date(2026, 1, 2, hour, minute, second, nanos, time.UTC)
	}
	for want, texts := range map[time.Time][]string{
		at(3, 4, 5, 0): {
			"2026-01-02T03:04:05Z", "2026-01-02t03:04:05z", "2026-01-02 03:04:05Z", "2026-01-02T03:04:05", "2026-01-02 03:04:05",
			"2026-01-02T05:04:05+02:00", "2026-01-02T05:04:05+0200", "2026-01-02T05:04:05+02", "2026-01-01T22:34:05-04:30", "2026-01-01T22:34:05-0430",
			"20260102T030405Z", "20260102T030405", "20260102T050405+0200", "20260102T050405+02:00", "2026-01-02T030405Z", "20260102T03:04:05Z",
			"2026-01-02 03:04:05 UTC", "2026-01-02 03:04:05 +0000", "2026-01-02T03:04:05-00:00", "2026-01-03T03:04:05+24:00",
			"1767323045", "1767323045000", "1767323045000000", "1767323045.0", "1.767323045e9", "1767323045e3",
		},
		at(3, 4, 5, 678_000_000): {
			"2026-01-02T03:04:05.678Z", "2026-01-02T03:04:05,678Z", "2026-01-02T03:04:05.678+0000", "20260102T030405.678Z",
			"2026-01-02T03:04:05.678000000000Z", "1767323045.678", "1767323045678", "1767323045678000", "1767323045678.0",
		},
		at(3, 4, 5, 678_912_345): {"2026-01-02T03:04:05.678912345Z", "1767323045.678912345", "1767323045678.912345", "1767323045678912.345"},
		at(3, 4, 0, 0):           {"2026-01-02T03:04Z", "2026-01-02T03:04", "2026-01-02 03:04", "20260102T0304Z", "2026-01-02T05:04+02:00", "2026-01-02T05:04+0200"},
		at(3, 0, 0, 0):           {"2026-01-02T03Z", "2026-01-02T03", "20260102T03Z"},
		at(0, 0, 0, 0):           {"2026-01-02", "20260102", "2026-01-01T24:00:00Z", "2026-01-01T23:59:60Z"},
		time.Unix(0, 0).UTC():    {"0", "-0", "1970-01-01", "0.0"},
		time.Unix(-1, 5e8).UTC(): {"-0.5", "1969-12-31T23:59:59.5Z"},
		time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC): {"253402300799", "253402300799000", "253402300799000000", "9999-12-31T23:59:59Z"},
	} {
		for _, text := range texts {
			got, ok := instant.Parse(text)
			require.True(t, ok, text)
			require.True(t, want.Equal(got), "%s: %s", text, got)
			again, ok := instant.Parse([]byte(text))
			require.True(t, ok && again.Equal(got), text)
		}
	}
}

// TestBareNumber: eight digits are a date only in a text.
func TestBareNumber(t *testing.T) {
	got, ok := instant.Unix("20260102")
	require.True(t, ok)
	require.Equal(t, time.Unix(20260102, 0).UTC(), got)
	_, ok = instant.Unix("2026-01-02")
	require.False(t, ok)
}

// TestNoTime: what cannot be read is never another time.
func TestNoTime(t *testing.T) {
	for _, text := range []string{
		"", "noon", "N/A", "NaN", "null", "-", "2026-01", "2026-1-2", "2026-13-02", "2026-00-02", "2026-02-30", "2025-02-29",
		"2026-01-02T", "2026-01-02T25:00:00Z", "2026-01-02T24:00:01Z", "2026-01-02T03:60:00Z", "2026-01-02T03:04:61Z", "2026-01-02T3:04:05Z",
		"2026-01-02T03:04:05.Z", "2026-01-02T03:04:05+", "2026-01-02T03:04:05+2", "2026-01-02T03:04:05+25:00", "2026-01-02T03:04:05+02:60",
		"2026-01-02T03:04:05+020", "2026-01-02T03:04:05 ", "2026-01-02T03:04:05Zjunk", "2026-01-02X03:04:05Z", "2026-0102T030405Z",
		"10000-01-01T00:00:00Z", "+10000-01-01", "56804-01-01", "-0001-01-01", " 2026-01-02", "2026-01-02 03:04:05 CET",
		"253402300800000000", "9999999999999999999", "1e30", "1e999999999", "-62167219201", "99999999999999999999999", "0x10", "1_000", "01767323045",
	} {
		got, ok := instant.Parse(text)
		require.False(t, ok, "%s: %s", text, got)
	}
}

func TestUTC(t *testing.T) {
	// Every day of these years has its place in time.
	for _, years := range [][2]int{{0, 10}, {1890, 2110}, {9990, 9999}} {
		for at := time.Date(years[0], 1, 1, 3, 4, 5, 678_000_000, time.UTC); at.Year() <= years[1]; at = at.AddDate(0, 0, 1) {
			got, ok := instant.UTC([]byte(at.Format("2006-01-02T15:04:05.000Z")))
			if !ok || got != at {
				t.Fatalf("%v became %v", at, got)
			}
		}
	}
	for text, want := range map[string]bool{
		"2024-02-29T00:00:00Z": true, "2026-02-29T00:00:00Z": false, "1900-02-29T00:00:00Z": false, "2000-02-29T00:00:00Z": true,
		"2026-04-31T00:00:00Z": false, "2026-12-31T23:59:59.999999999Z": true, "2026-12-31T23:59:59.9999999999Z": false,
		"2026-00-01T00:00:00Z": false, "2026-13-01T00:00:00Z": false, "2026-01-00T00:00:00Z": false, "2026-01-01T24:00:00Z": false,
		"2026-01-01T00:60:00Z": false, "2026-01-01T00:00:00": false, "2026-01-01T00:00:00.Z": false, "2026-01-01 00:00:00Z": false, "": false,
	} {
		got, ok := instant.UTC([]byte(text))
		require.Equal(t, want, ok, text)
		if ok {
			parsed, err := time.Parse(time.RFC3339Nano, text)
			require.NoError(t, err)
			require.Equal(t, parsed, got)
		}
	}
}

// rfc3339 is the form alone: time.Parse also takes T0:04:05 and +02:60.
var rfc3339 = regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:[0-5]\d)$`)

// FuzzParse compares with package time.
func FuzzParse(f *testing.F) {
	for _, seed := range []string{"2026-01-02T03:04:05.5+02:00", "2026-01-02T03:04:05Z", "20260102T030405Z", "1767323045", "-1.5e3", "2024-02-29", "2026-01-02T23:59:60Z", "2026-01-02T0:04:05Z", "2026-01-02T03:04:05+02:60"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, ok := instant.Parse(text)
		if want, err := time.Parse(time.RFC3339Nano, text); err == nil && rfc3339.MatchString(text) {
			require.True(t, ok)
			require.True(t, want.Equal(got), "%s: %s", want, got)
		}
		if fast, read := instant.UTC(text); read {
			require.Equal(t, fast, got)
		}
		if !ok {
			return
		}
		written, err := got.UTC().MarshalText()
		if err == nil {
			again, ok := instant.Parse(written)
			require.True(t, ok && again.Equal(got))
		}
	})
}
