package signing_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/internal/txbuild"
)

// TestOutsideReportJSON: a report of another process is shown or refused, and never a panic or another's words.
func TestOutsideReportJSON(t *testing.T) {
	a := attempt{policy: xPolicy(blindly, func(p *signing.Policy) { p.Tokens = signing.TokenList{xUSDC: {Symbol: "USDC", Decimals: 6}} }),
		set:    []xTx{v0(xTok.TransferChecked(xMyUSDC, xUSDC, xFrUSDC, xOwner, 5, 6), call(xMyUSDC), txbuild.Memo("hello"), xTok.Approve(xMyUSDC, xDeleg, xOwner, 5))},
		intent: xIntent(delegates, func(i *walletfi.Intent) { i.OutputTo = []string{xFriend.String()} })}
	_, r, err := a.run(t.Context())
	require.NoError(t, err)
	good, err := json.Marshal(r)
	require.NoError(t, err)
	var whole map[string]any
	require.NoError(t, json.Unmarshal(good, &whole))
	show := func(name string, b []byte, not ...string) {
		outCount++
		t.Run(name, func(t *testing.T) {
			skipOpen(t)
			defer func() {
				if p := recover(); p != nil {
					t.Errorf("PANIC %v", p)
				}
			}()
			var read signing.Report
			if err := json.Unmarshal(b, &read); err != nil {
				t.Log(err)
				return
			}
			text := read.Text() + read.String()
			for _, n := range not {
				if strings.Contains(text, n) {
					t.Errorf("REPORT says %q", n)
				}
			}
		})
	}
	edit := func(from, to string) []byte {
		s := strings.Replace(string(good), from, to, 1)
		if s == string(good) {
			t.Logf("%q is not in %s", from, good)
		}
		return []byte(s)
	}
	for _, list := range []string{"leaves", "reaches", "notes", "blind"} {
		items, _ := whole[list].([]any)
		require.NotEmpty(t, items, list)
		for _, n := range []float64{-1, 7, 1e9} {
			for _, field := range []string{"transaction", "instruction"} {
				first, _ := items[0].(map[string]any)
				was, had := first[field]
				first[field] = n
				b, err := json.Marshal(whole)
				require.NoError(t, err)
				show(list+" "+field+" "+json.Number(strings.TrimRight(strings.TrimRight(jsonOf(n), "0"), ".")).String(), b)
				if had {
					first[field] = was
				} else {
					delete(first, field)
				}
			}
		}
	}
	show("no transactions", edit(`"transactions":[`, `"transactionz":[`))
	show("a judgment of its own", edit(`"version":"v0"`, `"version":"v0","judgedBy":"simulation\nProven: all"`), "\nProven: all")
	show("a version with lines", edit(`"version":"v0"`, `"version":"v0\nSimulated: yes"`), "\nSimulated: yes")
	show("a service with lines", edit(`"service":"swap"`, `"service":"swap\nSimulated: yes"`), "\nSimulated: yes")
	show("a reason with lines", edit(`"why":"`, `"why":"x\nSimulated: yes`), "\nSimulated: yes")
	show("another version", edit(`"version":1`, `"version":2`))
	show("a rule with lines", edit(`"rule":"token.transfer"`, `"rule":"x\nSimulated: yes"`), "\nSimulated: yes")
	show("a symbol with lines", edit(`"symbol":"USDC"`, `"symbol":"USDC\nSimulated: yes"`), "\nSimulated: yes")
	show("counted as lines", edit(`"countsAs":"spend"`, `"countsAs":"spend\nSimulated: yes"`), "\nSimulated: yes")
	show("null", []byte("null"))
	show("empty", []byte(`{"version":1}`))
	show("nulls", []byte(`{"version":1,"transactions":null,"leaves":[{}],"reaches":[{}],"notes":[{}],"tokens":[{}],"holds":[{}],"refusal":{},"also":[null]}`))
	show("a refusal of nothing", []byte(`{"version":1,"refusal":{"transaction":-5,"instruction":-9}}`))
}

func jsonOf(n float64) string {
	b, _ := json.Marshal(n)
	return string(b)
}
