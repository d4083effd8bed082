package lending_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/wiretest"
	"github.com/walletfi/walletfi-go/lending"
)

func believing(t *testing.T, body string) *lending.Client {
	c, _ := carriedClient(t, lending.TierEnterprise, walletfi.Options{}, answer{Status: 200, Body: body})
	return c
}

// TestNullIsAnEmptyList: some languages write null for a list without elements.
func TestNullIsAnEmptyList(t *testing.T) {
	owner := wiretest.Address(1)
	account, err := believing(t, `{"totalDeposited":0,"totalInterestEarned":0,"currentApy":0,"positions":null,"rewards":null}`).
		GetAccount(t.Context(), owner)
	require.NoError(t, err)
	require.Empty(t, account.Positions)
	for _, err := range []error{
		wiretest.Error(believing(t, `{"events":null,"total":0}`).ListHistory(t.Context(), owner, lending.HistoryRequest{})),
		wiretest.Error(believing(t, `{"pendingWithdrawals":null}`).ListPendingWithdrawals(t.Context(), owner)),
		wiretest.Error(believing(t, `{"pools":null}`).ListPools(t.Context())),
		wiretest.Error(believing(t, `{"mint":"M1","rates":null}`).GetRates(t.Context(), lending.RatesRequest{})),
	} {
		require.NoError(t, err)
	}
	for _, err := range []error{
		wiretest.Error(believing(t, `{"events":{},"total":0}`).ListHistory(t.Context(), owner, lending.HistoryRequest{})),
		wiretest.Error(believing(t, `{"pendingWithdrawals":""}`).ListPendingWithdrawals(t.Context(), owner)),
		wiretest.Error(believing(t, `{}`).ListPools(t.Context())),
		wiretest.Error(believing(t, `{"totalDeposited":0,"totalInterestEarned":0,"currentApy":0,"positions":[]}`).GetAccount(t.Context(), owner)),
		wiretest.Error(believing(t, `{"totalDeposited":0,"totalInterestEarned":0,"currentApy":0,"rewards":[]}`).GetAccount(t.Context(), owner)),
	} {
		require.ErrorIs(t, err, walletfi.ErrDecode)
	}
}

// TestAllocationIsAFraction: a share of a pool is a fraction, if it is said. The pool is kept.
func TestAllocationIsAFraction(t *testing.T) {
	pool := `"symbol":"S","decimals":6,"protectedApy":1,"boostedApy":1,"customApy":1,"totalDeposited":1,"protectedDeposits":1,` +
		`"boostedDeposits":1,"availableCapacity":1,"coverageRatio":1`
	for said, isOdd := range map[string]bool{
		`,"allocation":0`: false, `,"allocation":1`: false, `,"allocation":"0.25"`: false, ``: false, `,"allocation":null`: false,
		`,"allocation":-1`: true, `,"allocation":6.5`: true, `,"allocation":"six"`: true, `,"allocation":{}`: true,
	} {
		page, err := believing(t, `{"pools":[{"mint":"`+wiretest.Address(1)+`",`+pool+`,"protocols":[{"name":"p","apy":1`+said+`}]}]}`).
			ListPools(t.Context())
		require.Len(t, page.Items, 1, said)
		require.Equal(t, isOdd, err != nil, said)
		if isOdd {
			require.ErrorContains(t, err, "PoolProtocol.allocation decides", said)
		}
	}
}

// TestDocumentedWords: a documented word in another case is the constant, and what has neither a
// letter nor a digit is none.
func TestDocumentedWords(t *testing.T) {
	for said, want := range map[string]lending.DepositType{
		`"PROTECTED"`: lending.DepositProtected, `"Boosted"`: lending.DepositBoosted, `"custom"`: "custom", `"!!!"`: "!!!",
	} {
		account, err := believing(t, `{"totalDeposited":0,"totalInterestEarned":0,"currentApy":0,"rewards":[],"positions":[{"mint":"`+
			wiretest.Address(1)+`","depositType":`+said+`,"balance":5,"interestEarned":0,"apy":1,"protocol":"p"}]}`).
			GetAccount(t.Context(), wiretest.Address(1))
		require.Equal(t, want, account.Positions[0].DepositType)
		require.Equal(t, want == "!!!", err != nil, said)
	}
	event, err := lending.ParseUnverifiedWebhook([]byte(`{"event":"DEPOSIT.Completed","timestamp":1767398400,"data":{}}`))
	require.NoError(t, err)
	require.Equal(t, lending.WebhookDepositCompleted, event.Event)
}
