package worldtest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/play"
)

const (
	LendingDepositPath  = "/v1/generate.transactions.deposit"
	LendingWithdrawPath = "/v1/generate.transactions.withdraw"
)

// LendingDepositBody asks for a deposit of the wallet's.
func (s *World) LendingDepositBody(symbol, depositType string, amount uint64) map[string]any {
	return map[string]any{
		"owner":       s.WalletAddress(),
		"mintAddress": s.Mint(symbol),
		"depositType": depositType,
		"amount":      amount,
	}
}

// Lend deposits and fails the test if that does not land.
func (s *World) Lend(t *testing.T, symbol, depositType string, amount uint64) {
	t.Helper()
	a := s.Do(t, play.Lending, "POST", LendingDepositPath, s.LendingDepositBody(symbol, depositType, amount))
	require.Equal(t, 200, a.Status, "%s", a.Raw)
	require.Nil(t, s.SignAndSubmit(t, a.Text("transaction")).Err)
}
