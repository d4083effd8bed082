package routes

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/e2e/flows"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/sandbox"
)

func init() { reach[sandbox.Lending], documented[sandbox.Lending] = reachLending, 11 }

func reachLending(t *testing.T, s *sandbox.Sandbox) {
	ctx := t.Context()
	c, err := lending.New(lending.Config{
		BaseURL: s.URL(sandbox.Lending), APIKey: walletfi.NewSecret(s.APIKey(sandbox.Lending)), Options: flows.Options(s),
	})
	require.NoError(t, err)
	me, usdc := s.WalletAddress(), s.Mint("USDC")

	pools, err := c.ListPools(ctx)
	require.NoError(t, err)
	require.NotEmpty(t, pools.Items)
	for _, p := range pools.Items {
		require.NotEmpty(t, p.Mint)
		require.False(t, p.ProtectedAPY.IsZero())
		require.NotEmpty(t, p.Protocols)
	}
	for range 2 {
		stats, err := c.GetPoolStats(ctx, lending.PoolStatsRequest{Mint: usdc, Period: lending.Period7d})
		require.NoError(t, err)
		require.NotEmpty(t, stats)
	}
	rates, err := c.GetRates(ctx, lending.RatesRequest{Mint: usdc, Period: lending.Period24h, Interval: lending.Interval1h})
	require.NoError(t, err)
	require.Equal(t, usdc, rates.Mint)
	require.NotEmpty(t, rates.Rates)

	deposit, err := c.BuildDeposit(ctx, lending.DepositRequest{
		Owner: me, Mint: usdc, DepositType: lending.DepositProtected, Amount: 1_000_000, ComputeUnitPriceMicroLamports: new(uint64(0)),
	})
	require.NoError(t, err)
	require.NotEmpty(t, deposit.Blockhash)
	require.NotZero(t, deposit.LastValidBlockHeight)
	flows.Land(t, s, deposit.Unsigned())

	account, err := c.GetAccount(ctx, me)
	require.NoError(t, err)
	require.Len(t, account.Positions, 1)
	require.GreaterOrEqual(t, account.Positions[0].Balance, walletfi.Amount(1_000_000))
	require.Equal(t, lending.DepositProtected, account.Positions[0].DepositType)

	withdrawal, err := c.BuildWithdraw(ctx, lending.WithdrawRequest{
		Owner: me, Mint: usdc, WithdrawType: lending.DepositProtected, Amount: 400_000,
	})
	require.NoError(t, err)
	flows.Land(t, s, withdrawal.Unsigned())

	events := 0
	for event, err := range c.AllHistory(ctx, me, lending.HistoryRequest{Limit: new(1)}) {
		require.NoError(t, err)
		require.False(t, event.Timestamp.IsZero())
		require.NotEmpty(t, event.Raw)
		events++
	}
	require.GreaterOrEqual(t, events, 2)

	pending, err := c.ListPendingWithdrawals(ctx, me)
	require.NoError(t, err)
	require.Empty(t, pending.Items, "a protected withdrawal does not cool down")
	_, err = c.WaitWithdrawal(ctx, me, s.Mint("USDC"))
	require.ErrorIs(t, err, walletfi.ErrNotFound, "there is nothing to wait for")

	for { // the answer's shape is not documented and takes turns; not each holds a transaction
		built, err := c.BuildInitializeReferrer(ctx, lending.InitializeReferrerRequest{Owner: me, ReferralCode: "friends"})
		require.NoError(t, err)
		require.NotEmpty(t, built.Raw)
		if u, ok := built.Unsigned(); ok {
			flows.Land(t, s, u)
			break
		}
	}
	referrer, err := c.GetReferrer(ctx, me)
	require.NoError(t, err)
	require.Equal(t, me, referrer.Owner)
	require.Equal(t, "friends", referrer.ReferralCode)
	claim, err := c.BuildReferrerClaim(ctx, lending.ReferrerClaimRequest{Owner: me})
	require.NoError(t, err)
	require.NotEmpty(t, claim.Transaction)
}
