package lending_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wire"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
)

// TestOddButHonest: what another vendor may send within the documentation is taken without an
// error.
func TestOddButHonest(t *testing.T) {
	const wallet = "W1111111111111111111111111111111"
	calls := map[string]func(context.Context, *lending.Client) error{
		"ListPools": func(ctx context.Context, c *lending.Client) error { return wiretest.Error(c.ListPools(ctx)) },
		"ListPendingWithdrawals": func(ctx context.Context, c *lending.Client) error {
			return wiretest.Error(c.ListPendingWithdrawals(ctx, wallet))
		},
		"GetAccount": func(ctx context.Context, c *lending.Client) error { return wiretest.Error(c.GetAccount(ctx, wallet)) },
		"ListHistory": func(ctx context.Context, c *lending.Client) error {
			return wiretest.Error(c.ListHistory(ctx, wallet, lending.HistoryRequest{}))
		},
		"BuildDeposit": func(ctx context.Context, c *lending.Client) error {
			return wiretest.Error(c.BuildDeposit(ctx, lending.DepositRequest{Owner: wallet, Mint: wallet, DepositType: lending.DepositRegular, Amount: 1}))
		},
	}
	for name, row := range map[string]struct{ file, was, now string }{
		"the system program's address":    {"ListPools", `"mint": "M1111111111111111111111111111111"`, `"mint": "11111111111111111111111111111111"`},
		"44 letters":                      {"ListPools", `"mint": "M1111111111111111111111111111111"`, `"mint": "EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGkZwyTDt1v"`},
		"escaped letters":                 {"ListPools", `"mint": "M1111111111111111111111111111111"`, `"mint": "\u004d1111111111111111111111111111111"`},
		"decimals in quotes":              {"ListPools", `"decimals": 6`, `"decimals": "6"`},
		"decimals with a zero fraction":   {"ListPools", `"decimals": 6`, `"decimals": 6.0`},
		"no decimals":                     {"ListPools", `"decimals": 6`, `"decimals": 0`},
		"a rate below 0":                  {"ListPools", `"boostedApy": 9`, `"boostedApy": -0.5`},
		"a rate of 1e-7":                  {"ListPools", `"boostedApy": 9`, `"boostedApy": 1e-7`},
		"a rate of 5000 %":                {"ListPools", `"boostedApy": 9`, `"boostedApy": 5000`},
		"a rate in quotes":                {"ListPools", `"boostedApy": 9`, `"boostedApy": "9.00"`},
		"fully covered":                   {"ListPools", `0.85`, `1`},
		"a member that is new":            {"ListPools", `"decimals": 6`, `"decimals": 6, "tier": {"mint": 7}`},
		"a new symbol of no text":         {"ListPools", `"symbol": "`, `"icon": null, "symbol": "`},
		"time as a text":                  {"ListPendingWithdrawals", `1700172800`, `"2023-11-16T22:13:20Z"`},
		"time in quotes":                  {"ListPendingWithdrawals", `1700172800`, `"1700172800"`},
		"an event that is new":            {"ListHistory", `"type": "deposit"`, `"type": "claim"`},
		"a null signature of a rebalance": {"ListHistory", `"type": "rebalance",`, `"type": "rebalance", "signature": null, "mint": null,`},
		"an empty mint of a rebalance":    {"ListHistory", `"type": "rebalance",`, `"type": "rebalance", "signature": "", "mint": "",`},
		"rewards of none":                 {"GetAccount", `"rewards": [`, `"xs": 1, "rewards": [`},
		"a block height in quotes":        {"BuildDeposit", `"lastValidBlockHeight": 3`, `"lastValidBlockHeight": 3`},
	} {
		t.Run(name, func(t *testing.T) {
			whole := wiretest.File(t, row.file+".json")
			body := strings.Replace(whole, row.was, row.now, 1)
			if row.was != row.now {
				require.NotEqual(t, whole, body)
			}
			c, _ := carriedClient(t, lending.TierEnterprise, walletfi.Options{}, answer{Status: 200, Body: body})
			require.NoError(t, calls[row.file](t.Context(), c))
		})
	}
}

// TestMoneyOfHistory: a withdrawal has no documented amount, the other events do.
func TestMoneyOfHistory(t *testing.T) {
	var page lending.HistoryPage
	const rest = `"timestamp":1700000000,"mint":"M1111111111111111111111111111111","depositType":"regular","signature":"S111111111111111111111111111111111111111111111111111111111111111"}`
	of := func(letter string) string { return strings.Replace(rest, `"S`, `"`+letter, 1) }
	err := wire.Unmarshal([]byte(`{"total":5,"events":[{"type":"deposit","amount":null,`+rest+`,{"type":"withdraw",`+rest+`,
		{"type":"rebalance",`+rest+`,{"type":"deposit","amount":0,`+of("T")+`,{"type":"deposit","amount":"",`+of("U")+`]}`), &page)
	unread := wiretest.As[*walletfi.UnreadError](t, err)
	require.Len(t, page.Items, 5)
	require.Len(t, unread.Records, 3)
	for i, index := range []int{0, 2, 4} {
		require.Equal(t, index, unread.Records[i].Index)
		require.True(t, unread.Records[i].Kept)
		require.EqualError(t, unread.Records[i].Err, "field amount: Event.amount decides, and is missing")
	}
	require.Equal(t, `{"type":"deposit","amount":null,`+rest, unread.Records[0].Raw.String())
}
