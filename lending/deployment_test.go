package lending_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/deployment"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
)

// TestLuloLike: under the file of a vendor that leaves out what an account does not have, an
// account without lists is empty, a full one stays as it is, and null is no list.
func TestLuloLike(t *testing.T) {
	file, err := deployment.Load("../docs/lulo-like.json")
	require.NoError(t, err)
	const position = `{"mint":"M1111111111111111111111111111111","symbol":"S","depositType":"regular","balance":6,"interestEarned":1,"apy":8.5,"protocol":"p"}`
	const reward = `{"mint":"M1111111111111111111111111111111","symbol":"S","amount":2,"claimable":true}`
	for rest, want := range map[string]struct {
		positions, rewards int
		plain, under       error
	}{
		``:                                {plain: walletfi.ErrDecode},
		`,"positions":[],"rewards":[]`:    {},
		`,"positions":[` + position + `]`: {positions: 1, plain: walletfi.ErrDecode},
		`,"rewards":[` + reward + `]`:     {rewards: 1, plain: walletfi.ErrDecode},
		`,"positions":[` + position + `],"rewards":[` + reward + `,` + reward + `]`: {positions: 1, rewards: 2},
		`,"positions":null,"rewards":null`:                                          {},
		`,"positions":{},"rewards":[]`:                                              {plain: walletfi.ErrDecode, under: walletfi.ErrDecode},
	} {
		get := func(d *deployment.Deployment) (*lending.Account, error) {
			c, _ := carriedClient(t, lending.TierEnterprise, walletfi.Options{Deployment: d}, answer{
				Status: 200, Body: `{"totalDeposited":5,"totalInterestEarned":1,"currentApy":8.5` + rest + `}`,
			})
			return c.GetAccount(t.Context(), wiretest.Address(1))
		}
		_, err := get(nil)
		require.ErrorIs(t, err, want.plain, rest)
		account, err := get(file)
		require.ErrorIs(t, err, want.under, rest)
		if want.under == nil {
			require.Equal(t, walletfi.Amount(5), account.TotalDeposited)
			require.Len(t, account.Positions, want.positions, rest)
			require.Len(t, account.Rewards, want.rewards, rest)
		}
	}
}
