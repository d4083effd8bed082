package check_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/check"
	"github.com/walletfi/walletfi-go/ratelimit"
)

func TestRules(t *testing.T) {
	const mint = "So11111111111111111111111111111111111111112"
	signature := strings.Repeat("1", 64)
	now := time.Unix(1000, 0)
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"required", check.Required("owner", " "), "invalid request: owner: is required"},
		{"required, there", check.Required("owner", "x"), ""},
		{"positive", check.Positive("amount", 0), "invalid request: amount: must be more than 0"},
		{"range, low edge", check.Range("bps", 0, 0, 9800), ""},
		{"range, high edge", check.Range("bps", 9800, 0, 9800), ""},
		{"range, past it", check.Range("bps", 9801, 0, 9800), "invalid request: bps: must be 0 to 9800"},
		{"range of nil", check.RangeOf[int]("bps", nil, 1, 2), ""},
		{"range of 0", check.RangeOf("bps", new(0), 1, 2), "invalid request: bps: must be 1 to 2"},
		{"negative", check.NotNegative("offset", -1), "invalid request: offset: must not be negative"},
		{"one of", check.OneOf("type", "x", "a", "b"), "invalid request: type: must be a, b"},
		{"optional one of", check.OptionalOneOf("type", "", "a", "b"), ""},
		{"address", check.Address("mint", mint), ""},
		{"address, empty", check.Address("mint", ""), "invalid request: mint: is required"},
		{"address, short", check.Address("mint", mint[1:]), "invalid request: mint: must be the base58 of 32 bytes"},
		{"address, not base58", check.Address("mint", "0"+mint[1:]), "invalid request: mint: must be the base58 of 32 bytes"},
		{"address, endless", check.Address("mint", strings.Repeat("z", 1<<20)), "invalid request: mint: must be the base58 of 32 bytes"},
		{"optional address", check.OptionalAddress("feePayer", ""), ""},
		{"signature", check.Signature("signature", signature), ""},
		{"signature, short", check.Signature("signature", signature[1:]), "invalid request: signature: must be the base58 of 64 bytes"},
		{"ordered", check.Ordered("start", now, "end", now), ""},
		{"not ordered", check.Ordered("start", now, "end", now.Add(-1)), "invalid request: end: must not be before start"},
		{"https", check.HTTPS("url", "https://a.example/x"), ""},
		{"http", check.HTTPS("url", "http://a.example/x"), "invalid request: url: must be an https URL"},
		{"budget", check.Budget("budgets[0]", ratelimit.Budget{Requests: 1, Per: time.Minute}), ""},
		{"budget of nothing", check.Budget("budgets[0]", ratelimit.Budget{Per: time.Minute}), "invalid request: budgets[0].Requests: must be 1 or more, is 0"},
		{"each", check.Each("mints", []string{mint, "x"}, check.Address[string]), "invalid request: mints[1]: must be the base58 of 32 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == "" {
				require.NoError(t, c.err)
				return
			}
			require.EqualError(t, c.err, c.want)
			require.ErrorIs(t, c.err, walletfi.ErrInvalidRequest)
		})
	}
}

func TestAllJoins(t *testing.T) {
	require.NoError(t, check.All(nil, nil))
	err := check.All(nil, check.Required("a", ""), check.Required("b", ""))
	require.EqualError(t, err, "invalid request: a: is required\ninvalid request: b: is required")
	var v *walletfi.ValidationError
	require.True(t, errors.As(err, &v))
	require.Equal(t, "a", v.Field)
}
