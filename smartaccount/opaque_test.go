package smartaccount_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/smartaccount"
)

// TestOpaque: an address or a signature that is no identifier is kept as it came, and the error
// beside the answer says so. One that is no text is no answer, unless something was created.
func TestOpaque(t *testing.T) {
	const address, signature = "Addr1111111111111111111111111111", "Sig1111111111111111111111111111111111111111111111111111111111111"
	for file, row := range map[string]struct {
		was     string
		created bool
		call    func(context.Context, *smartaccount.Client) (string, error)
	}{
		"GetAccount": {address, false, func(ctx context.Context, c *smartaccount.Client) (string, error) {
			a, err := c.GetAccount(ctx, "acc_1")
			if a == nil {
				return "", err
			}
			return a.Address, err
		}},
		"CreateAccount": {address, true, func(ctx context.Context, c *smartaccount.Client) (string, error) {
			a, err := c.CreateAccount(ctx, smartaccount.CreateAccountRequest{Name: "Savings", Type: smartaccount.AccountBusiness})
			return a.Address, err
		}},
		"GetTransaction": {signature, false, func(ctx context.Context, c *smartaccount.Client) (string, error) {
			tx, err := c.GetTransaction(ctx, "acc_1", "tx_1")
			if tx == nil {
				return "", err
			}
			return tx.Signature, err
		}},
	} {
		t.Run(file, func(t *testing.T) {
			whole := wiretest.File(t, file+".json")
			for _, value := range []string{`"led 1"`, `7`} {
				body := strings.Replace(whole, `"`+row.was+`"`, value, 1)
				require.NotEqual(t, whole, body)
				got, err := row.call(t.Context(), client(t, wiretest.Serve(t, reply(200, body)).URL))
				require.ErrorIs(t, err, walletfi.ErrDecode)
				if value == `7` && !row.created {
					require.Empty(t, got)
					continue
				}
				require.Equal(t, strings.Trim(value, `"`), got)
				require.Equal(t, value != `7`, strings.Contains(err.Error(), "is no identifier"))
				require.True(t, wiretest.As[*walletfi.UnreadError](t, err).Records[0].Kept)
			}
		})
	}
}

// TestBalanceOfNull: an asset without a balance is absent, and one with two says so.
func TestBalanceOfNull(t *testing.T) {
	const rest = `{"id":"acc_1","address":"Addr1111111111111111111111111111","status":"active","balance":`
	c := client(t, wiretest.Serve(t, reply(200, rest+`{"SOL":null,"USDC":"6.5"}}`)).URL)
	account, err := c.GetAccount(t.Context(), "acc_1")
	require.NoError(t, err)
	require.Equal(t, map[string]walletfi.Decimal{"USDC": wiretest.Decimal(t, "6.5")}, account.Balance)

	c = client(t, wiretest.Serve(t, reply(200, rest+`{"SOL":"1","SOL":"2"}}`)).URL)
	account, err = c.GetAccount(t.Context(), "acc_1")
	require.Equal(t, "balance.*", wiretest.As[*walletfi.UnreadError](t, err).Records[0].List)
	require.ErrorContains(t, err, "Account.balance decides, and is repeated")
	require.Len(t, account.Balance, 1)
}

// TestBalanceOfNoNumber: a balance that is no number is told beside the others, which are kept.
func TestBalanceOfNoNumber(t *testing.T) {
	const rest = `{"id":"acc_1","address":"Addr1111111111111111111111111111","status":"active","balance":{"USDC":"6.5","SOL":`
	for _, bad := range []string{`"six"`, `{}`, `true`, `-1`, `"1,5"`, `[2]`, `"1","SOL":"2"`} {
		account, err := client(t, wiretest.Serve(t, reply(200, rest+bad+`}}`)).URL).GetAccount(t.Context(), "acc_1")
		unread := wiretest.As[*walletfi.UnreadError](t, err, bad)
		require.True(t, unread.Records[0].Kept, bad)
		require.Equal(t, "balance.*", unread.Records[0].List, bad)
		require.Equal(t, wiretest.Decimal(t, "6.5"), account.Balance["USDC"], bad)
		require.Equal(t, "acc_1", account.ID, bad)
	}
}
