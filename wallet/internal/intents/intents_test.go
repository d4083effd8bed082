package intents

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
)

// TestSameWish: the order of what is asked for, and what is listed twice, is no other
// wish; an amount of another mint is.
func TestSameWish(t *testing.T) {
	asset := func(mint string, amount walletfi.Amount) walletfi.Asset {
		return walletfi.Asset{Mint: mint, Amount: amount}
	}
	var spend, back []walletfi.Asset
	for i := range 40 {
		a := asset(strings.Repeat("m", i+1), walletfi.Amount(i))
		spend, back = append(spend, a), append([]walletfi.Asset{a}, back...)
	}
	wish := walletfi.Intent{Owner: "o", Spend: spend, PayTo: []string{"b", "a", "c", "a"}}
	id := ID(wish)
	for range 20 { // the sum is made in a map
		require.Equal(t, id, ID(walletfi.Intent{Owner: "o", Spend: back, PayTo: []string{"c", "b", "a"}}))
	}
	require.Equal(t, []walletfi.Asset{asset("a", 3), asset("b", 5)}, Sum([]walletfi.Asset{asset("b", 4), asset("a", 3), asset("b", 1)}))
	back[0].Amount++
	require.NotEqual(t, id, ID(walletfi.Intent{Owner: "o", Spend: back, PayTo: []string{"c", "b", "a"}}))
	giving := func(mint string, n walletfi.Amount) walletfi.Intent {
		return spending(walletfi.Intent{}, asset(mint, n))
	}
	burning := func(mint string, n walletfi.Amount) walletfi.Intent {
		return walletfi.Intent{Burn: []walletfi.Asset{asset(mint, n)}}
	}
	receiving := func(mint string, n walletfi.Amount) walletfi.Intent {
		return walletfi.Intent{Receive: []walletfi.Asset{asset(mint, n)}}
	}
	for _, row := range []struct {
		was, now walletfi.Intent
		name     string
	}{
		{walletfi.Intent{Receive: back}, walletfi.Intent{}, ""},
		{walletfi.Intent{}, walletfi.Intent{Receive: back}, ""},
		{walletfi.Intent{Receive: back[1:]}, walletfi.Intent{Receive: back}, "receive.mint"},
		{receiving("m", 1), receiving("m", 2), ""},
		{walletfi.Intent{Spend: back}, walletfi.Intent{}, "spend.mint"},
		{giving("m", 1), giving("m", 2), "spend.amount"},
		{burning("m", 1), burning("m", 2), "burn.amount"},
		{walletfi.Intent{BurnAll: []string{"m"}}, walletfi.Intent{}, "burnAll"},
		{walletfi.Intent{PayTo: []string{"p"}}, walletfi.Intent{}, "payTo"},
		{walletfi.Intent{}, walletfi.Intent{OutputTo: []string{"p"}}, "outputTo"},
		{walletfi.Intent{}, walletfi.Intent{Delegates: []string{"p"}}, "delegates"},
		{walletfi.Intent{}, walletfi.Intent{CloseAccounts: []string{"p"}}, "closeAccounts"},
		{walletfi.Intent{Owner: "a", Service: "s", PayTo: []string{"p"}}, walletfi.Intent{Owner: "b", Service: "r"}, "owner"},
		{walletfi.Intent{Service: "s", BurnAll: []string{"p"}}, walletfi.Intent{Service: "r"}, "service"},
		{walletfi.Intent{TipLamports: 1, Sponsor: "a"}, walletfi.Intent{MaxNetworkFeeLamports: new(walletfi.Amount)}, ""},
		{asked("request", "r", "Amount", "1"), asked("request", "r", "Amount", "1"), ""},
		{asked("request", "r", "Amount", "1"), asked("request", "r", "Amount", "10"), "Amount"},
		{asked("request", "r", "Amount", "1"), asked("request", "q", "Lamports", "1"), "request"},
		{asked("request", "r"), asked("request", "r", "Part", "1"), "Part"},
		{with(asked("owner", "x", "payTo", "x"), "a"), with(asked("owner", "x", "payTo", "x"), "b"), "owner"},
		{asked(), walletfi.Intent{}, ""},
		// One is an entry of an earlier version: what its guard was told is compared.
		{spending(asked("Amount", "5"), asset("m", 5)), giving("m", 5), ""},
		{spending(asked("Amount", "50"), asset("m", 50)), giving("m", 5), "spend.amount"},
		{spending(asked("Amount", "50"), asset("m", 7)), giving("m", 5), ""}, // quoted
		{spending(asked("Amount", "50"), asset("n", 7)), giving("m", 5), "spend.mint"},
	} {
		name, _, _ := OtherThan(row.was, row.now)
		require.Equal(t, row.name, name, "%v, %v", row.was, row.now)
		name, _, _ = OtherThan(row.now, row.was)
		require.Equal(t, row.name, name, "%v, %v", row.now, row.was)
		if stated := row.was.Asked != nil; stated == (row.now.Asked != nil) && row.name != "" {
			require.NotEqual(t, ID(row.was), ID(row.now))
		}
	}
	was := spending(walletfi.Intent{}, asset("b", 2), asset("a", 1))
	require.Equal(t, ID(walletfi.Intent{}), ID(asked()))
	_, before, after := OtherThan(was, spending(was, asset("a", 1), asset("b", 20)))
	require.Equal(t, []string{"1 2", "1 20"}, []string{before, after})
}

// asked is an intent that states names and values.
func asked(pairs ...string) walletfi.Intent {
	i := walletfi.Intent{Asked: map[string]string{}}
	for n := 0; n < len(pairs); n += 2 {
		i.Asked[pairs[n]] = pairs[n+1]
	}
	return i
}

// with has an owner, whatever it states.
func with(i walletfi.Intent, owner string) walletfi.Intent {
	i.Owner = owner
	return i
}

func spending(i walletfi.Intent, assets ...walletfi.Asset) walletfi.Intent {
	i.Spend = assets
	return i
}
