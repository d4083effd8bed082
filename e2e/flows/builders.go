package flows

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/burnclose"
	"github.com/walletfi/walletfi-go/lending"
	"github.com/walletfi/walletfi-go/sandbox"
)

// Builders are the methods of all services that answer transactions for the
// sandbox's wallet, with what they need on the ledger.
func Builders(t *testing.T, s *sandbox.Sandbox) []Builder {
	return slices.Concat(lendingBuilders(t, s), burnBuilders(t, s), leverageBuilders(t, s), swapBuilders(t, s),
		ammBuilders(t, s), providerBuilders(t, s))
}

func lendingBuilders(t *testing.T, s *sandbox.Sandbox) []Builder {
	c := client[*lending.Client](s, sandbox.Lending)
	me, usdc := s.WalletAddress(), s.Mint("USDC")
	deposit := lending.DepositRequest{Owner: me, Mint: usdc, DepositType: lending.DepositProtected, Amount: 1_000_000}
	built, err := c.BuildDeposit(t.Context(), deposit)
	require.NoError(t, err)
	Land(t, s, built.Unsigned())
	referrer := Builder{
		Service: sandbox.Lending,
		Name:    "BuildInitializeReferrer",
		Build: func(ctx context.Context) (walletfi.Unsigned, error) {
			built, err := c.BuildInitializeReferrer(ctx, lending.InitializeReferrerRequest{Owner: me, ReferralCode: "friends"})
			if err != nil {
				return walletfi.Unsigned{}, err
			}
			u, ok := built.Unsigned()
			if !ok { // not each of the answer's shapes holds a transaction
				return u, fmt.Errorf("no transaction: %w", walletfi.ErrDecode)
			}
			return u, nil
		},
	}
	claim := from(sandbox.Lending, "BuildReferrerClaim", c.BuildReferrerClaim, lending.ReferrerClaimRequest{Owner: me})
	claim.Prepare = func() {
		u, err := referrer.Build(t.Context())
		require.NoError(t, err)
		Land(t, s, u)
	}
	return []Builder{
		from(sandbox.Lending, "BuildDeposit", c.BuildDeposit, deposit),
		from(sandbox.Lending, "BuildWithdraw", c.BuildWithdraw, lending.WithdrawRequest{
			Owner:        me,
			Mint:         usdc,
			WithdrawType: lending.DepositProtected,
			Amount:       400_000,
		}),
		referrer,
		claim,
	}
}

func burnBuilders(t *testing.T, s *sandbox.Sandbox) []Builder {
	c := client[*burnclose.Client](s, sandbox.BurnClose)
	me, dust := s.WalletAddress(), s.Mint("DUST")
	empty, err := s.BurnClose().OpenEmptyAccounts(me, 30)
	require.NoError(t, err)
	return []Builder{
		from(sandbox.BurnClose, "BuildBurn", c.BuildBurn, burnclose.BurnRequest{
			Owner:      me,
			AssetID:    dust,
			BurnAmount: new(walletfi.Amount(37)),
		}),
		from(sandbox.BurnClose, "BuildBurn of all", c.BuildBurn, burnclose.BurnRequest{
			Owner:                  me,
			AssetID:                dust,
			AutoCloseTokenAccounts: new(true),
		}),
		from(sandbox.BurnClose, "BuildClose", c.BuildClose, burnclose.CloseRequest{Owner: me, AssetID: empty[0]}),
		from(sandbox.BurnClose, "BuildCloseAll", c.BuildCloseAll, burnclose.CloseAllRequest{Owner: me}),
	}
}
