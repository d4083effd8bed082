package echo_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/echo"
)

func TestComparisons(t *testing.T) {
	const checksummed, lower = "0xAbCdEf0123", "0xabcdef0123"
	for name, row := range map[string]struct {
		mismatch error
		want     string // "" if there is none
	}{
		"the same text":               {echo.Text("f", "a", "a"), ""},
		"another text":                {echo.Text("f", "a", "b"), `f: asked for "a", answered "b"`},
		"another case of a text":      {echo.Text("f", "a", "A"), `f: asked for "a", answered "A"`},
		"nothing asked":               {echo.Text("f", "", "b"), ""},
		"nothing answered":            {echo.Text("f", "a", ""), ""},
		"another case of a name":      {echo.Name("f", "TICK-1", "tick-1"), ""},
		"another name":                {echo.Name("f", "TICK-1", "TICK-2"), `f: asked for "TICK-1", answered "TICK-2"`},
		"a checksum":                  {echo.Address("f", lower, checksummed), ""},
		"another hex address":         {echo.Address("f", lower, "0xabcdef0124"), `f: asked for "0xabcdef0123", answered "0xabcdef0124"`},
		"another case of base58":      {echo.Address("f", "Abc", "abc"), `f: asked for "Abc", answered "abc"`},
		"hex without its prefix":      {echo.Address("f", "abc", "aBc"), `f: asked for "abc", answered "aBc"`},
		"another documented word":     {echo.Word("f", "a", "b", "a", "b"), `f: asked for "a", answered "b"`},
		"a word of no document":       {echo.Word("f", "a", "c", "a", "b"), ""},
		"an item that was asked for":  {echo.Among("f", []string{"a", "b"}, "B"), ""},
		"an item too many":            {echo.Among("f", []string{"a", "b"}, "c"), `f: asked for "a, b", answered "c"`},
		"a number that was not asked": {echo.StatedOf("f", nil, new(1)), ""},
		"another number than asked":   {echo.StatedOf("f", new(2), new(1)), `f: asked for "2", answered "1"`},
		"another amount":              {echo.Amount("f", 1, 2), `f: asked for "1", answered "2"`},
		"an amount of 0":              {echo.Amount("f", 1, 0), `f: asked for "1", answered "0"`},
		"an amount that is left out":  {echo.Stated[walletfi.Amount]("f", 1, 0), ""},
		"another number":              {echo.Stated("f", 1, 2), `f: asked for "1", answered "2"`},
		"wrapped SOL":                 {echo.Mint("f", "11111111111111111111111111111111", walletfi.NativeMint), ""},
		"SOL of Token-2022":           {echo.Mint("f", "9pan9bMn5HatX4EJdBwg9VgCa7Uz5HL8N1m5D3NdXejP", "So11111111111111111111111111111111111111111"), ""},
		"another mint than SOL":       {echo.Mint("f", walletfi.NativeMint, "M"), `f: asked for "` + walletfi.NativeMint + `", answered "M"`},
		"a mint that is left out":     {echo.Mint("f", "M", ""), ""},
		"a title for its slug":        {echo.Slug("f", "world-politics", "World politics"), ""},
		"another slug":                {echo.Slug("f", "a-b", "a-c"), `f: asked for "a-b", answered "a-c"`},
		"a shorter page":              {echo.AtMost("f", new(2), new(1)), ""},
		"a longer page":               {echo.AtMost("f", new(2), new(3)), `f: asked for "2", answered "3"`},
		"a page of the default":       {echo.AtMost("f", nil, new(3)), ""},
		"two contradictions":          {echo.All(echo.Text("f", "a", "b"), nil, echo.Text("g", "c", "d")), "f: asked for \"a\", answered \"b\"\ng: asked for \"c\", answered \"d\""},
		"none of two":                 {echo.All(nil, nil), ""},
		"the second item":             {echo.Each([]string{"a", "b"}, func(s string) error { return echo.Text("f", "a", s) }), `f: asked for "a", answered "b"`},
		"a text that takes many rows": {echo.Text("f", "a", "b\nc"), `f: asked for "a", answered "b\nc"`},
	} {
		t.Run(name, func(t *testing.T) {
			if row.want == "" {
				require.NoError(t, row.mismatch)
				return
			}
			require.EqualError(t, row.mismatch, row.want)
			require.ErrorIs(t, row.mismatch, walletfi.ErrMismatch)
		})
	}
}

func TestRoute(t *testing.T) {
	for name, row := range map[string]struct {
		steps []echo.Step
		bad   bool
	}{
		"none":                     {nil, false},
		"one step":                 {[]echo.Step{{"A", "B"}}, false},
		"two steps":                {[]echo.Step{{"A", "X"}, {"X", "B"}}, false},
		"two paths":                {[]echo.Step{{"A", "B"}, {"A", "X"}, {"X", "B"}}, false},
		"the last step first":      {[]echo.Step{{"X", "B"}, {"A", "X"}}, false},
		"steps without mints":      {[]echo.Step{{"", ""}, {"Q", "R"}}, false},
		"another input":            {[]echo.Step{{"Q", "B"}}, true},
		"another output":           {[]echo.Step{{"A", "Q"}}, true},
		"the other way round":      {[]echo.Step{{"B", "A"}}, true},
		"another path's output":    {[]echo.Step{{"A", "B"}, {"A", "Q"}}, true},
		"another path's input":     {[]echo.Step{{"A", "B"}, {"Q", "B"}}, true},
		"past the output":          {[]echo.Step{{"A", "B"}, {"B", "Q"}}, true},
		"a round trip to the side": {[]echo.Step{{"A", "Q"}, {"Q", "A"}}, true},
		"two paths that never met": {[]echo.Step{{"A", "X"}, {"Y", "B"}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			err := echo.Route("routePlan", "A", "B", row.steps)
			if row.bad {
				require.ErrorIs(t, err, walletfi.ErrMismatch)
				return
			}
			require.NoError(t, err)
		})
	}
	require.NoError(t, echo.Route("routePlan", walletfi.NativeMint, "B", []echo.Step{{"11111111111111111111111111111111", "B"}}))
	// A round trip asks for the mint it gives.
	require.NoError(t, echo.Route("routePlan", "A", "A", []echo.Step{{"A", "X"}, {"X", "A"}}))
}
