package dialect

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/wiretest"
)

// counted is an operation whose member n has a form.
func counted(t testing.TB, n deployment.Number) *Operation {
	return plain(t, deployment.Service{Words: deployment.Words{Numbers: map[string]deployment.Number{"n": n}}})
}

func TestNumbers(t *testing.T) {
	usd := deployment.Number{Scale: 6, Live: "string", Neutral: "number", Prefix: "$"}
	for _, c := range []struct {
		form          deployment.Number
		live, neutral string
	}{
		{deployment.Number{Scale: 6}, `1.25`, `1250000`},
		{deployment.Number{Scale: 6}, `"1.25"`, `"1250000"`},
		{deployment.Number{Scale: 6}, `0.000001`, `1`},
		{deployment.Number{Scale: 6}, `-0`, `-0`},
		{deployment.Number{Scale: -6}, `1500000`, `1.5`},
		{deployment.Number{Scale: -18}, `1`, `0.000000000000000001`},
		{deployment.Number{Scale: 18}, `18.446744073709551615`, `18446744073709551615`},
		{usd, `"$1.25"`, `1250000`},
		{deployment.Number{Live: "number", Neutral: "string"}, `1.50e+2`, `"1.50e+2"`},
		{deployment.Number{Scale: 2, Suffix: " USD"}, `"3 USD"`, `"300"`},
		{deployment.Number{Scale: 2}, `[1,[2.5],null,"",true,{"n":3}]`, `[100,[250],null,"",true,{"n":300}]`},
		{deployment.Number{Scale: 2}, `{"x":1}`, `{"x":1}`},
	} {
		o := counted(t, c.form)
		assert.Equal(t, `{"n":`+c.neutral+`,"m":1.5}`, neutral(t, o, `{"n":`+c.live+`,"m":1.5}`))
		assert.Equal(t, `{"n":`+c.live+`,"m":1.5}`, live(t, o, `{"n":`+c.neutral+`,"m":1.5}`))
	}
}

// TestNumbersAsTheyCame: forms of a number that an answer may have and that go nowhere
// else.
func TestNumbersAsTheyCame(t *testing.T) {
	usd := deployment.Number{Scale: 2, Prefix: "$", Neutral: "number"}
	for _, c := range []struct {
		form      deployment.Number
		came, say string // say is "" if it is refused
	}{
		{deployment.Number{Scale: 2}, `"1.2.3"`, `"1.2.3"`},
		{deployment.Number{Scale: 2}, `"soon"`, `"soon"`},
		{deployment.Number{Scale: 2}, `1e400`, "1" + zeros(402)},
		{deployment.Number{Scale: 2}, `1e4000`, "1e4002"},
		{deployment.Number{Scale: 2}, `1e99999999999999999999`, "1e99999999999999999999"},
		{deployment.Number{Scale: 2}, `"+007.50"`, `"750"`},
		{deployment.Number{Scale: 2}, `1.234`, ""},
		{deployment.Number{Scale: 2}, `"1e-3"`, ""},
		{usd, `"5"`, ""},
		{usd, `5`, ""},
		{usd, `"free"`, `"free"`},
		{usd, `"$"`, `"$"`},
		{deployment.Number{Prefix: "$"}, `5`, `5`},
		{deployment.Number{Neutral: "number"}, `"007"`, `7`},
	} {
		o := counted(t, c.form)
		out, err := o.ToNeutral([]byte(`{"n":` + c.came + `}`))
		if c.say == "" {
			require.Error(t, err, c.came)
			assert.Contains(t, err.Error(), "n: ")
			assert.Equal(t, `{"n":`+c.came+`}`, string(out), "as it came")
			continue
		}
		require.NoError(t, err, c.came)
		assert.Equal(t, `{"n":`+c.say+`}`, string(out))
	}
	_, err := counted(t, deployment.Number{Scale: 2}).ToLive([]byte(`{"n":1.5}`))
	wiretest.Refused(t, err, "n")
}

func zeros(n int) string { return fmt.Sprintf("%0*d", n, 0) }

// FuzzNumbers: what goes out comes back, and both are what math/big says.
func FuzzNumbers(f *testing.F) {
	for _, seed := range []string{"0", "-0", "1", "10", "1.50", "-123.456", "1e3", "1e-7", "12345678901234567890123", "0.000001", "1E+2"} {
		for _, scale := range []int8{0, 6, -6, 18, -18} {
			f.Add(seed, scale)
		}
	}
	f.Fuzz(func(t *testing.T, text string, by int8) {
		scale := int(by) % 19 // the largest that a deployment can say is 18
		n, ok := readNumber(text)
		if !ok || n.point > 2000 || n.point < -2000 || len(n.digits) > 2000 {
			return
		}
		value, ok := new(big.Rat).SetString(text)
		if !ok {
			return // a form that only readNumber takes, such as "5."
		}
		form := &form{"n", deployment.Number{Scale: scale}}
		moved, _, err := form.move(text, false, false)
		if err != nil {
			require.Positive(t, scale)
			require.False(t, value.IsInt(), text)
			return
		}
		power := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(scale, -scale))), nil)
		want := new(big.Rat).Mul(value, new(big.Rat).SetInt(power))
		if scale > 0 {
			want = new(big.Rat).Quo(value, new(big.Rat).SetInt(power))
		}
		got, ok := new(big.Rat).SetString(moved)
		require.True(t, ok, moved)
		require.Zero(t, want.Cmp(got), "%s by %d is %s", text, scale, moved)
		require.True(t, isJSON([]byte(moved)), moved)
		back, _, err := form.move(moved, false, true)
		require.NoError(t, err)
		again, ok := new(big.Rat).SetString(back)
		require.True(t, ok)
		require.Zero(t, value.Cmp(again), "%s came back as %s", text, back)
	})
}
