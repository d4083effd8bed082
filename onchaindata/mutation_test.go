package onchaindata

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/internal/bodies"
)

// token is a scalar or a key of a JSON text.
var token = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?[0-9][0-9.eE+-]*|null|true|false`)

// odd are the values that drift puts in a value's place, and some that are no
// JSON.
var odd = []string{
	`null`, `""`, `"x"`, `"5"`, `"5 "`, `"-0.50"`, `"1e3"`, `"a\u00e9\"b"`, `"\x"`, "\"a\nb\"", `5`, `0`, `-1`, `-0`, `1.5`, `1e2`, `01`, `1.`, `+1`, `123456789012345678901234567890`,
	`true`, `[]`, `{}`, `[null]`, `["a","b"]`, `[{"id":"z","type":"token"}]`, `{"id":"z"}`, `{"data":null}`, `{"data":[{"id":"z"}]}`, `{"h1":"1","H1":"2"}`, `{"buys":1}`,
	`"2024-01-02T03:04:05Z"`, `"2024-01-02T03:04:05.123456789-07:00"`, `"2024-13-02T03:04:05Z"`, `"1700000000"`, ``,
}

// mutations are texts in which one thing is odd: a value, a key, a key that
// comes twice, the space around.
func mutations(text string) []string {
	var all []string
	for _, at := range token.FindAllStringIndex(text, -1) {
		before, it, behind := text[:at[0]], text[at[0]:at[1]], text[at[1]:]
		for _, value := range odd {
			all = append(all, before+value+behind)
		}
		all = append(all, before+" \n\t\r"+it+" \n\t\r"+behind, before+"\x00"+it+behind, before+it+"\v"+behind, before+it+behind+",", before+it)
		if !strings.HasPrefix(strings.TrimSpace(behind), ":") {
			continue
		}
		all = append(all, before+strings.ToUpper(it)+behind, before+`"\u00`+fmt.Sprintf("%02x", it[1])+it[2:]+behind, before+strings.Replace(it, "k", "\u212a", 1)+behind)
		for _, value := range odd {
			all = append(all, before+it+":"+value+","+it+behind)
		}
	}
	return all
}

// TestMutations holds the readers by hand against the ordinary way where one
// thing in an answer is odd.
func TestMutations(t *testing.T) {
	small := func(name string) string {
		b, err := os.ReadFile("testdata/" + name + ".json")
		require.NoError(t, err)
		return string(b)
	}
	included := `{"data":[],"included":[{"id":"solana_A","type":"token","attributes":{"address":"A","decimals":9,"websites":["w"],"volume_usd":{"h24":"5"},"gt_score":3},"relationships":{"top_pools":{"data":[{"id":"p","type":"pool"}]}}}]}`
	for name, row := range map[string]struct {
		texts []string
		fast  func(t *testing.T, body []byte) bool
	}{
		"pools":   {[]string{bodies.Pools(1), small("GetPool"), included}, differs(fastPoolPage)},
		"candles": {[]string{bodies.Candles(2), small("ListPoolCandles")}, differs(fastCandles)},
		"trades":  {[]string{bodies.Trades(2)}, differs(fastTrades)},
	} {
		t.Run(name, func(t *testing.T) {
			taken, all := 0, []string(nil)
			for _, text := range row.texts {
				all = append(all, mutations(text)...)
			}
			for _, text := range all {
				if row.fast(t, []byte(text)) {
					taken++
				}
			}
			t.Logf("%d of %d read by hand", taken, len(all))
			require.Greater(t, taken, len(all)/10)
			require.Less(t, taken, len(all))
		})
	}
}

// differs checks one body and reports whether it was read by hand.
func differs[T any](fast func([]byte, *T) bool) func(*testing.T, []byte) bool {
	return func(t *testing.T, body []byte) bool {
		agree(t, body, fast)
		return fast(body, new(T))
	}
}
