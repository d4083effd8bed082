package walletfi_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/ratelimit"
)

func TestParseAmount(t *testing.T) {
	for _, c := range []struct {
		text     string
		decimals int
		want     walletfi.Amount
		problem  string
	}{
		{"1.5", 6, 1_500_000, ""},
		{"0.000001", 6, 1, ""},
		{"0.0000010", 6, 1, ""},
		{".5", 1, 5, ""},
		{"5.", 0, 5, ""},
		{"0", 9, 0, ""},
		{"18446744073709551615", 0, math.MaxUint64, ""},
		{"18446744073.709551615", 9, math.MaxUint64, ""},
		{"18446744073.709551616", 9, 0, "2^64-1"},
		{"0.0000001", 6, 0, "more than 6 decimals"},
		{"-1", 6, 0, "not a decimal number"},
		{"1e3", 6, 0, "not a decimal number"},
		{"1,5", 6, 0, "not a decimal number"},
		{"1.2.3", 6, 0, "not a decimal number"},
		{"", 6, 0, "not a decimal number"},
		{".", 6, 0, "not a decimal number"},
		{"1", 256, 0, "0 to 255"},
		{"1", 255, 0, "2^64-1"},
		{"0", 255, 0, ""},
	} {
		got, err := walletfi.ParseAmount(c.text, c.decimals)
		if c.problem == "" {
			require.NoError(t, err, c.text)
			require.Equal(t, c.want, got, c.text)
			continue
		}
		require.ErrorContains(t, err, c.problem, c.text)
		require.ErrorIs(t, err, walletfi.ErrInvalidRequest)
	}
}

func TestAmountUI(t *testing.T) {
	require.Equal(t, "1.5", walletfi.Amount(1_500_000).UI(6))
	require.Equal(t, "0.000001", walletfi.Amount(1).UI(6))
	require.Equal(t, "0", walletfi.Amount(0).UI(9))
	require.Equal(t, "18446744073.709551615", walletfi.Amount(math.MaxUint64).UI(9))
	require.Equal(t, "7", walletfi.Amount(7).UI(0))
}

func TestAmountJSON(t *testing.T) {
	for text, want := range map[string]walletfi.Amount{
		`0`: 0, `"0"`: 0, `18446744073709551615`: math.MaxUint64, `"18446744073709551615"`: math.MaxUint64, `null`: 0,
	} {
		var got walletfi.Amount
		require.NoError(t, json.Unmarshal([]byte(text), &got), text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{`1.0`, `"1.5"`, `-1`, `1e3`, `18446744073709551616`, `true`, `""`, `"+1"`, `" 1"`, `"1_0"`, `{}`} {
		require.Error(t, json.Unmarshal([]byte(text), new(walletfi.Amount)), text)
	}
	type request struct {
		Bare   walletfi.Amount  `json:"bare"`
		Quoted walletfi.Amount  `json:"quoted,string"`
		None   *walletfi.Amount `json:"none,omitempty"`
		Zero   *walletfi.Amount `json:"zero,omitempty"`
	}
	b, err := json.Marshal(request{Bare: math.MaxUint64, Quoted: 7, Zero: new(walletfi.Amount(0))})
	require.NoError(t, err)
	require.Equal(t, `{"bare":"18446744073709551615","quoted":"7","zero":"0"}`, string(b))
}

func FuzzAmountRoundTrip(f *testing.F) {
	f.Add(uint64(0), 0)
	f.Add(uint64(math.MaxUint64), 19)
	f.Fuzz(func(t *testing.T, n uint64, decimals int) {
		if decimals < 0 || decimals > 255 {
			return
		}
		back, err := walletfi.ParseAmount(walletfi.Amount(n).UI(decimals), decimals)
		require.NoError(t, err)
		require.Equal(t, walletfi.Amount(n), back)
	})
}

func TestDecimal(t *testing.T) {
	var d walletfi.Decimal
	long := "0." + strings.Repeat("1234567890", 7)
	for _, text := range []string{long, `"` + long + `"`} {
		require.NoError(t, json.Unmarshal([]byte(text), &d))
		require.Equal(t, long, d.String())
		b, err := json.Marshal(d)
		require.NoError(t, err)
		require.Equal(t, long, string(b))
	}
	for _, text := range []string{`null`, `""`} {
		require.NoError(t, json.Unmarshal([]byte(text), &d))
		require.True(t, d.IsZero())
	}
	for _, text := range []string{`"NaN"`, `"1,5"`, `"0x1"`, `true`, `"Infinity"`, `"+1"`, `{}`} {
		require.Error(t, json.Unmarshal([]byte(text), &d), text)
	}
}

func TestDecimalCompares(t *testing.T) {
	parse := func(text string) walletfi.Decimal {
		d, err := walletfi.NewDecimal(text)
		require.NoError(t, err)
		return d
	}
	require.Zero(t, parse("1.50").Cmp(parse("1.5")))
	require.Equal(t, -1, parse("-1").Cmp(parse("0")))
	require.Equal(t, 1, parse("1e-300").Sign())
	require.Zero(t, walletfi.Decimal{}.Sign())
	require.Equal(t, "3/2", parse("1.5").Rat().String())
	require.Equal(t, 1.5, parse("1.5").Float64())
	// An exponent that would fill the memory is compared without being expanded.
	require.Nil(t, parse("1e1000000000").Rat())
	require.Equal(t, 1, parse("1e1000000000").Cmp(parse("1")))
}

// TestDecimalThatIsNotValid: what is beyond the bounds of a Decimal compares as it is,
// and is never a value, or 0, in another form.
func TestDecimalThatIsNotValid(t *testing.T) {
	long := walletfi.MustDecimal(strings.Repeat("9", 1_000_000))
	for _, d := range []walletfi.Decimal{long, walletfi.MustDecimal("1e99999999999999999999")} {
		require.False(t, d.Valid() || d.IsZero())
		require.Equal(t, 1, d.Sign())
		require.Equal(t, 1, d.Cmp(walletfi.MustDecimal("1")))
		require.Nil(t, d.Rat())
		require.True(t, math.IsNaN(d.Float64()))
		require.True(t, d.Add(d).IsZero() && d.Mul(long).IsZero())
	}
	require.True(t, walletfi.MustDecimal("1e400").Valid())
	require.False(t, walletfi.Decimal{}.Valid())
}

func TestTime(t *testing.T) {
	want := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, text := range []string{`"2026-01-02T03:04:05Z"`, `"2026-01-02T05:04:05+02:00"`, `1767323045`, `"1767323045"`, `1767323045.0`, `"2026-01-02T03:04:05"`} {
		var got walletfi.Time
		require.NoError(t, json.Unmarshal([]byte(text), &got), text)
		require.True(t, want.Equal(got.Time), "%s: %s", text, got)
	}
	var got walletfi.Time
	require.NoError(t, json.Unmarshal([]byte(`"2026-01-02"`), &got))
	require.Equal(t, time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), got.Time)
	require.NoError(t, json.Unmarshal([]byte(`0.25`), &got))
	require.Equal(t, int64(250), got.UnixMilli())
	require.NoError(t, json.Unmarshal([]byte(`null`), &got))
	require.True(t, got.IsZero())
	for _, text := range []string{`"soon"`, `1e300`, `1e1000000000`, `{}`, `true`} {
		require.Error(t, json.Unmarshal([]byte(text), &got), text)
	}
}

func TestDocument(t *testing.T) {
	var shape struct {
		Doc  walletfi.Document
		None walletfi.Document
	}
	require.NoError(t, json.Unmarshal([]byte(`{"Doc": {"n": 18446744073709551615}}`), &shape))
	require.Equal(t, `{"n": 18446744073709551615}`, shape.Doc.String())
	require.True(t, shape.None.IsZero())
	var v map[string]any
	require.NoError(t, shape.Doc.Decode(&v))
	require.Equal(t, json.Number("18446744073709551615"), v["n"])
}

func TestSecretNeverPrints(t *testing.T) {
	const canary = "canary-9f8e7d"
	type holder struct {
		exported walletfi.Secret
		Exported walletfi.Secret
		inMap    map[string]walletfi.Secret
	}
	s := walletfi.NewSecret(canary)
	h := holder{s, s, map[string]walletfi.Secret{"k": s}}
	var out strings.Builder
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x"} {
		fmt.Fprintf(&out, verb, s)
		fmt.Fprintf(&out, verb, &s)
		fmt.Fprintf(&out, verb, h)
		fmt.Fprintf(&out, verb, &h)
		fmt.Fprintf(&out, verb, map[walletfi.Secret]int{s: 1})
		fmt.Fprintf(&out, verb, []any{s, h})
	}
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "s", s, "h", h, "p", &s)
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "s", s, "h", h, "p", &s)
	b, err := json.Marshal(h)
	require.Error(t, err)
	_, err = json.Marshal(map[walletfi.Secret]int{s: 1})
	require.Error(t, err)
	all := out.String() + log.String() + string(b) + err.Error()
	require.NotContains(t, all, canary)
	require.NotContains(t, all, fmt.Sprintf("%x", canary))
	require.Equal(t, canary, s.Reveal())
	require.True(t, walletfi.NewSecret("").IsZero())
}

func TestErrorsAnswerToTheirSentinels(t *testing.T) {
	cause := errors.New("cause")
	response := &walletfi.ResponseError{Service: "lending", Op: "GetAccount", Method: "GET", Path: "/v1/account/W", StatusCode: 503, Attempts: 3, Kind: walletfi.ErrUnavailable, Cause: cause}
	require.ErrorIs(t, response, walletfi.ErrUnavailable)
	require.ErrorIs(t, response, cause)
	require.EqualError(t, response, "lending.GetAccount: GET /v1/account/W: HTTP 503: cause (3 attempts)")
	unknown := &walletfi.OutcomeUnknownError{Signature: "S1", Cause: response}
	require.ErrorIs(t, unknown, walletfi.ErrOutcomeUnknown)
	require.ErrorIs(t, unknown, walletfi.ErrUnavailable)
	require.ErrorContains(t, unknown, "S1")
	require.ErrorIs(t, &ratelimit.Error{}, walletfi.ErrRateLimited)
	require.ErrorIs(t, &walletfi.PartialError{Causes: cause}, cause)
	require.ErrorIs(t, &walletfi.TransportError{Cause: cause}, cause)
}

func TestTransactionEncodings(t *testing.T) {
	b64 := walletfi.Base64Transaction("AQIDBA==")
	b58, err := b64.Base58()
	require.NoError(t, err)
	require.Equal(t, walletfi.Base58Transaction("2VfUX"), b58)
	back, err := b58.Base64()
	require.NoError(t, err)
	require.Equal(t, b64, back)
	for _, bad := range []walletfi.Base64Transaction{"AQIDBA", "AQIDBB==", "!", walletfi.Base64Transaction(strings.Repeat("A", 1<<20))} {
		_, err := bad.Base58()
		require.Error(t, err)
	}
	for _, bad := range []walletfi.Base58Transaction{"0OIl", walletfi.Base58Transaction(strings.Repeat("z", 1<<20))} {
		_, err := bad.Base64()
		require.Error(t, err)
	}
}

func TestCommitment(t *testing.T) {
	done := walletfi.SignatureStatus{Found: true, Commitment: walletfi.CommitmentConfirmed}
	require.True(t, done.Confirmed(walletfi.CommitmentProcessed))
	require.True(t, done.Confirmed(walletfi.CommitmentConfirmed))
	require.False(t, done.Confirmed(walletfi.CommitmentFinalized))
	done.Err = "InstructionError"
	require.False(t, done.Confirmed(walletfi.CommitmentProcessed), "a failed transaction is never confirmed")
	require.False(t, walletfi.SignatureStatus{Found: true, Commitment: "later"}.Confirmed(walletfi.CommitmentProcessed))
}

func TestIntentClone(t *testing.T) {
	a := walletfi.Intent{Spend: []walletfi.Asset{{Mint: "M", Amount: 1}}, MaxRentLamports: new(walletfi.Amount(5)), ReceiveAfter: new(time.Hour)}
	b := a.Clone()
	b.Spend[0].Amount, *b.MaxRentLamports, *b.ReceiveAfter = 2, 6, 0
	require.Equal(t, walletfi.Amount(1), a.Spend[0].Amount)
	require.Equal(t, walletfi.Amount(5), *a.MaxRentLamports)
	require.Equal(t, time.Hour, *a.ReceiveAfter)
}

func TestDecimalArithmetic(t *testing.T) {
	price, tick := walletfi.MustDecimal("0.4237"), walletfi.MustDecimal("0.01")
	for want, got := range map[string]walletfi.Decimal{
		"0.4337": price.Add(tick), "0.4137": price.Sub(tick), "0.004237": price.Mul(tick),
		"0.42": price.Floor(tick), "0.43": price.Ceil(tick), "-0.42": walletfi.MustDecimal("-0.42371").Round(tick),
		"0.0000001": walletfi.MustDecimal("1e-7").Mul(walletfi.MustDecimal("1.0")),
	} {
		require.Equal(t, want, got.String())
	}
	// What has no value has none afterwards.
	for _, none := range []walletfi.Decimal{
		price.Add(walletfi.Decimal{}), walletfi.Decimal{}.Mul(price), price.Floor(walletfi.Decimal{}), price.Round(walletfi.MustDecimal("0")),
	} {
		require.True(t, none.IsZero())
	}
	require.PanicsWithError(t, `walletfi: "1,5" is not a decimal number`, func() { walletfi.MustDecimal("1,5") })
}

func TestDecimalIsWrittenPlain(t *testing.T) {
	for text, want := range map[string]string{"2e-9": "0.000000002", "1.5E3": "1500", "1.50": "1.50", "1e2000": "1e2000"} {
		d := walletfi.MustDecimal(text)
		out, err := json.Marshal(d)
		require.NoError(t, err)
		require.Equal(t, want, string(out))
		require.Equal(t, text, d.String())
	}
}
