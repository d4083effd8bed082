package asking

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

type base struct{ Owner string }

type inner struct {
	Address string
	Create  bool `asked:"-"`
}

type quote struct{ asked map[string]string }

func (q *quote) Asked() map[string]string { return q.asked }

type request struct {
	base
	Amount   walletfi.Amount
	Part     *walletfi.Amount
	Leverage walletfi.Decimal
	Slippage walletfi.Slippage
	Fee      *uint64 `asked:"-"`
	To       *inner
	Flag     *bool
	New      string `asked:"Old"`
	Text     *string
	Count    *int
	Mints    []string
	By       time.Time
	Any      any
	Quote    *quote
	Next     *request
}

// TestOf: what is set is stated, each field by its name, and what says how is not.
func TestOf(t *testing.T) {
	two, err := walletfi.NewDecimal("2.50")
	require.NoError(t, err)
	r := request{
		base: base{"me"}, Amount: 1<<64 - 1, Part: new(walletfi.Amount(0)), Leverage: two,
		Slippage: walletfi.SlippageBps(5), Fee: new(uint64(7)),
		To: &inner{"there", true}, Flag: new(false), Text: new(""), New: "renamed", Count: new(0), Mints: []string{"a", "b"},
		By: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Any: walletfi.Amount(3),
		Quote: &quote{map[string]string{"request": "q", "Mint": "m"}},
	}
	want := map[string]string{
		"request": "asking.request", "Owner": "me", "Amount": "18446744073709551615", "Part": "0", "Leverage": "2.5",
		"To.Address": "there", "Flag": "false", "Text": `""`, "Old": "renamed", "Count": "0", "Mints": `["a","b"]`,
		"By": "2026-01-02T03:04:05Z", "Any": "3", "Quote.Mint": "m",
	}
	require.Equal(t, want, Of(r))
	require.Equal(t, want, Of(&r))
	require.Equal(t, map[string]string{"request": "asking.request"}, Of(request{}))
	require.Equal(t, map[string]string{"request": "string", "value": "x"}, Of("x"))
	require.Equal(t, map[string]string{"request": "int"}, Of(0))
	require.Equal(t, map[string]string{"request": "asking.request", "Next.Owner": "you"},
		Of(request{Next: &request{base: base{"you"}}}))
}

// TestOfWhatIsFarInside: as deep as it may be, and one deeper.
func TestOfWhatIsFarInside(t *testing.T) {
	r := &request{base: base{"me"}}
	for range deepest {
		r = &request{Next: r}
	}
	require.Equal(t, "me", Of(r)[strings.Repeat("Next.", deepest)+"Owner"])
	require.Nil(t, Of(request{Next: r}))
	to := &inner{"there", true}
	require.Equal(t, "there", Of(struct{ To **inner }{&to})["To.Address"])
}

// TestOfWhatCannotBeRead states nothing, so that it is not taken for another request.
func TestOfWhatCannotBeRead(t *testing.T) {
	circle := &request{}
	circle.Next = circle
	for name, r := range map[string]any{
		"nothing": nil, "no request": (*request)(nil), "hidden": struct{ amount int }{5},
		"a function": struct{ F func() }{}, "a channel": struct{ C chan int }{make(chan int)},
		"a secret": struct{ Key walletfi.Secret }{walletfi.NewSecret("k")}, "a circle": circle,
		"a quote that states nothing": request{Quote: &quote{}},
		"hidden below":                request{Any: struct{ x int }{1}},
		"a function in an interface":  request{Any: func() {}},
	} {
		require.Nil(t, Of(r), name)
	}
	require.NotNil(t, Of(struct {
		Amount walletfi.Amount
		*base
	}{Amount: 5}), "an embedded struct that is not there")
}
