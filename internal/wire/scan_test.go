package wire

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

func TestDecimalOf(t *testing.T) {
	decimal := reflect.TypeFor[walletfi.Decimal]()
	require.Equal(t, 1, decimal.NumField())
	require.Equal(t, reflect.TypeFor[string](), decimal.Field(0).Type)
	for _, text := range []string{"0", "-1.50", "2e-9", "123456789012345678901234567890"} {
		want, err := walletfi.NewDecimal(text)
		require.NoError(t, err)
		require.Equal(t, want, decimalOf(text))
	}
}

// TestDepth: a body that nests deeper than MaxDepth is refused, wherever it does.
func TestDepth(t *testing.T) {
	for _, pair := range []string{`[]`, `{"a":}`} {
		for _, name := range []string{"unknown", "doc", "any", "raw"} {
			body := func(depth int) []byte {
				inner := strings.Repeat(pair[:len(pair)-1], depth) + "1" + strings.Repeat(pair[len(pair)-1:], depth)
				return fmt.Appendf(nil, `{%q:%s}`, name, inner)
			}
			require.NoError(t, Decode(body(MaxDepth-1), new(sample)))
			require.NoError(t, WellFormed(body(MaxDepth-1)))
			for _, err := range []error{Decode(body(MaxDepth), new(sample)), WellFormed(body(MaxDepth))} {
				require.ErrorIs(t, err, ErrSyntax)
				require.ErrorContains(t, err, "deeper than 1000")
			}
		}
	}
}

// TestTruncated: no part of a body is a body.
func TestTruncated(t *testing.T) {
	body := `{"name":"a\u00e9","lots":"1","price":1.5e-7,"at":"2024-03-05T12:00:00Z","parts":[{"mint":null},{}],"sizes":{"a":-1},"x":[true,{}]}`
	require.NoError(t, Decode([]byte(body), new(sample)))
	for n := range body {
		cut := []byte(body[:n])
		walked := Walk(cut, reporter(func([]string, int, int, bool) {}))
		for _, err := range []error{Decode(cut, new(sample)), WellFormed(cut), walked} {
			require.Error(t, err, body[:n])
			require.False(t, IsJSON(err), "%s: %v", body[:n], err)
		}
	}
}

// reporter is a Reporter.
type reporter func(path []string, from, to int, inside bool)

func (r reporter) Member(path []string, from, to int, inside bool) { r(path, from, to, inside) }

func (reporter) Breach(Breach) bool { return false }

// TestReport: each member of the body's object is reported, and no other.
func TestReport(t *testing.T) {
	body := []byte(` { "name" : 1 , "parts":[{"mint":"m"}], "new":{"name":2}, "NAME":3,"lots":"x" } `)
	want := []string{`name=1`, `parts=[{"mint":"m"}]`, `new={"name":2}`, `NAME=3`, `lots="x"`}
	var got []string
	report := reporter(func(path []string, from, to int, _ bool) {
		got = append(got, strings.Join(path, ".")+"="+string(body[from:to]))
	})
	require.NoError(t, Walk(body, report))
	require.Equal(t, want, got)

	got = nil
	all, err := Read(body, new(sample), 1, report)
	require.Error(t, err)
	require.False(t, all, "an amount that does not fit ends the pass")
	require.Equal(t, want[:4], got)

	body = body[:len(body)-len(`,"lots":"x" } `)]
	body = append(body, '}')
	got = nil
	all, err = Read(body, new(sample), 1, report)
	require.NoError(t, err)
	require.True(t, all)
	require.Equal(t, want[:4], got)
}

// TestReportWithin: of objects within the body's, those members are reported that are
// asked for, and no others.
func TestReportWithin(t *testing.T) {
	type inner struct {
		Name string `json:"name"`
	}
	type outer struct {
		A struct {
			B    inner   `json:"b"`
			List []inner `json:"list"`
		} `json:"a"`
		Kept walletfi.Document `json:"kept"`
	}
	for _, row := range []struct {
		watch      int
		body, want string
		all        bool
	}{
		{1, `{"a":{"b":{"name":"x"}}}`, "a-", true},
		{2, `{"a":{"b":{"name":"x"}},"kept":{"c":1}}`, "a.b- a+ kept-", true},
		{3, `{"a":{"b":{"name":"x"},"list":[{"name":"y"}]}}`, "a.b.name- a.b+ a.list- a+", true},
		{3, `{"a":{"b":[],"new":{"name":1}},"a":{}}`, "a.b- a.new- a+ a+", true},
		{2, `{"a":{"b":1,"list":{}},"new":{"b":1}}`, "a.b- a.list- a+ new-", true},
		{2, `{"a":{"b":"x"},"kept":[{"b":1}]}`, "a.b- a+ kept-", true},
	} {
		var got []string
		all, err := Read([]byte(row.body), new(outer), row.watch, reporter(func(path []string, _, _ int, inside bool) {
			got = append(got, strings.Join(path, ".")+map[bool]string{true: "+", false: "-"}[inside])
		}))
		require.NoError(t, err, row.body)
		require.Equal(t, row.want, strings.Join(got, " "), row.body)
		require.Equal(t, row.all, all, row.body)
	}
}

// TestListsAreApart: what shares an array does not show when one list grows.
func TestListsAreApart(t *testing.T) {
	type holder struct {
		Lists []struct {
			Tags []string `json:"tags"`
		} `json:"lists"`
	}
	var all []string
	for n := range 40 {
		tags := make([]string, n)
		for i := range tags {
			tags[i] = fmt.Sprintf(`"%d.%d"`, n, i)
		}
		all = append(all, `{"tags":[`+strings.Join(tags, ",")+`]}`)
	}
	body := []byte(`{"lists":[` + strings.Join(all, ",") + `]}`)
	var got, want holder
	require.NoError(t, Decode(body, &got))
	require.NoError(t, json.Unmarshal(body, &want))
	require.Equal(t, want, got)
	for i := range got.Lists {
		tags := got.Lists[i].Tags
		require.Len(t, tags, cap(tags))
		_ = append(tags, "spilt")
	}
	require.Equal(t, want, got)
}

// TestOrderOfMembers: what an object expects changes nothing that it reads.
func TestOrderOfMembers(t *testing.T) {
	type three struct {
		A string `json:"a"`
		B string `json:"b"`
		C string `json:"c"`
	}
	for _, body := range []string{
		`{"a":"1","b":"2","c":"3"}`, `{"c":"3","b":"2","a":"1"}`, `{ "b" : "2" , "a": "1","c" :"3"}`,
		`{"a":"1","x":0,"b":"2","c":"3"}`, `{"\u0061":"1","b":"2","c":"3","y":{"a":4}}`, `{"A":"0","b":"2","a":"1","C":"3","B":"4"}`,
	} {
		for range 2 {
			var got three
			require.NoError(t, Decode([]byte(body), &got), body)
			require.Equal(t, three{"1", "2", "3"}, got, body)
		}
	}
}

// TestAllPlain looks at each byte value at each place of a word and of a rest.
func TestAllPlain(t *testing.T) {
	for length := range 40 {
		text := []byte(strings.Repeat("\x7fa ~", 10))[:length]
		require.True(t, allPlain(text))
		for at := range text {
			for c := range 256 {
				changed := append([]byte{}, text...)
				changed[at] = byte(c)
				want := c >= ' ' && c < 0x80 && c != '\\'
				require.Equal(t, want, allPlain(changed), "%q", changed)
			}
		}
	}
}

// TestMadeOnce: goroutines that read types for the first time wait for each other.
func TestMadeOnce(t *testing.T) {
	type inner struct {
		Next *plain  `json:"next"`
		All  []plain `json:"all" wire:"records"`
	}
	type outer struct {
		In   inner            `json:"in"`
		Map  map[string]inner `json:"map"`
		List [][]inner        `json:"list"`
	}
	body := []byte(`{"in":{"all":[{"name":"a"}]},"map":{"a":{"all":[{}]}},"list":[[{"next":{"name":"b"}}]]}`)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			var list []inner
			assert.NoError(t, DecodeList([]byte(`[{"next":{"name":"b"}}]`), &list))
			assert.NoError(t, Decode(body, new(outer)))
		})
	}
	all.Wait()
}
