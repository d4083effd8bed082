package lending

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/faking"
)

// Package walletfitest gives answers their intent as the builders do.
func init() {
	faking.Add(DepositRequest.intent, func(t *DepositTransaction) *walletfi.Intent { return &t.intent })
	faking.Add(WithdrawRequest.intent, func(t *WithdrawTransaction) *walletfi.Intent { return &t.intent })
	faking.Add(InitializeReferrerRequest.intent, func(t *ReferrerInitialization) *walletfi.Intent { return &t.intent })
	faking.Add(ReferrerClaimRequest.intent, func(t *ReferrerClaim) *walletfi.Intent { return &t.intent })
}
