package e2e

import (
	"math/big"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/amm"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/leverage"
	"github.com/walletfi/walletfi-go/sandbox"
	"github.com/walletfi/walletfi-go/signing"
)

// setStops are what docs/signing.md says of a set that stops after its first transaction, and
// what shows it on the ledger.
var setStops = map[string]struct {
	says string
	show func(*testing.T)
}{
	"amm.BuildSwap":             {"you hold what the last part bought, at the market's risk: swap it on, or back", stopsSwap},
	"burnclose.BuildCloseAll":   {"safe: the accounts that are left stay as they are", stopsClosing},
	"leverage.BuildPartialSell": {"two positions are open in place of one, with the debt shared out: close one", stopsSelling},
}

// TestSetStops: what the page says of a stop between two transactions of a set is so.
func TestSetStops(t *testing.T) {
	page, err := os.ReadFile("../docs/signing.md")
	require.NoError(t, err)
	require.Len(t, setStops, len(setRows))
	for name := range setRows {
		stop, has := setStops[name]
		require.True(t, has, name)
		_, row, _ := strings.Cut(string(page), "\n| "+name+" | ")
		row, _, _ = strings.Cut(row, "\n")
		require.True(t, strings.HasSuffix(row, " | "+stop.says+" |"), "%s: %s", name, row)
		t.Run(name, stop.show)
	}
}

// firstAlone executes the first transaction of a set, and no other.
func firstAlone(t *testing.T, s *sandbox.Sandbox, u walletfi.Unsigned) {
	t.Helper()
	require.Greater(t, len(u.Transactions), 1)
	signature := flows.Submit(t, s, flows.Sign(t, s, u)[0].Transaction)
	require.Empty(t, s.Ledger().TransactionStatus(signature).Err)
}

func stopsSwap(t *testing.T) {
	d := newDesk(t, deskConfig{sandbox: stillMarket})
	u := d.ammSwap(t, "DUST", amm.TxVersionLegacy)
	usdc, dust, between := d.held("USDC"), d.held("DUST"), d.held("SOL")
	firstAlone(t, d.Sandbox, u)
	require.Equal(t, usdc-50_000_000, d.held("USDC"))
	require.Equal(t, dust, d.held("DUST"), "nothing of what was asked for")
	require.Greater(t, d.held("SOL"), between, "what the part bought")
	for symbol, asset := range map[string]string{"on": d.Mint("DUST"), "back": d.Mint("USDC")} {
		_, err := d.amm.QuoteBaseIn(t.Context(), amm.QuoteRequest{InputMint: walletfi.NativeMint, OutputMint: asset,
			Amount: walletfi.Amount(d.held("SOL")), Slippage: walletfi.SlippageBps(10)})
		require.NoError(t, err, symbol)
	}
}

func stopsClosing(t *testing.T) {
	s := flows.Start(t, sandbox.Config{NoLimits: true, ManualClock: true, InstantConfirmation: true, Shape: 1})
	u := builtBy(t, s, "BuildCloseAll")
	_, report, err := signing.NewGuard(flows.Policy(s)).CheckSet(t.Context(), u)
	require.NoError(t, err)
	before := map[string]sandbox.TokenAccount{}
	closes := map[bool]int{} // by the first, and by the others
	for _, n := range report.Notes {
		if n.Kind == signing.NoteClose {
			before[n.Account.String()], _ = s.Ledger().TokenAccount(n.Account.String())
			closes[n.Transaction == 0]++
		}
	}
	require.Positive(t, closes[true])
	require.Positive(t, closes[false])
	firstAlone(t, s, u)
	for _, n := range report.Notes {
		if n.Kind == signing.NoteClose {
			account, stays := s.Ledger().TokenAccount(n.Account.String())
			require.Equal(t, n.Transaction > 0, stays, n.Account)
			if stays {
				require.Equal(t, before[n.Account.String()], account)
				require.Equal(t, s.WalletAddress(), account.Owner)
			}
		}
	}
}

func stopsSelling(t *testing.T) {
	s := flows.Start(t, sandbox.Config{NoLimits: true, ManualClock: true, InstantConfirmation: true, Shape: 1})
	u := builtBy(t, s, "BuildPartialSell")
	client := flows.Must(flows.Makers(flows.HostsOf(s))[sandbox.Leverage](flows.AtOnce())).(*leverage.Client)
	open := func() (n int, debt, collateral *big.Rat) {
		page, err := client.ListPositions(t.Context(), leverage.PositionsRequest{Owner: s.WalletAddress(), Status: leverage.StatusExecuted})
		require.NoError(t, err)
		debt, collateral = new(big.Rat), new(big.Rat)
		for _, p := range page.Items {
			require.Positive(t, p.BorrowedAmount.Sign())
			debt.Add(debt, p.BorrowedAmount.Rat())
			collateral.Add(collateral, p.CollateralAmount.Rat())
		}
		return len(page.Items), debt, collateral
	}
	n, debt, collateral := open()
	firstAlone(t, s, u)
	now, owes, holds := open()
	require.Equal(t, n+1, now)
	require.Equal(t, debt.RatString(), owes.RatString())
	require.Equal(t, collateral.RatString(), holds.RatString())
}

// builtBy is the answer of a builder of the flows.
func builtBy(t *testing.T, s *sandbox.Sandbox, name string) walletfi.Unsigned {
	t.Helper()
	for _, b := range flows.Builders(t, s) {
		if b.Name == name {
			if b.Prepare != nil {
				b.Prepare()
			}
			u, err := b.Build(t.Context())
			require.NoError(t, err)
			return u
		}
	}
	t.Fatal("no builder", name)
	return walletfi.Unsigned{}
}
