package providerswap

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/faking"
)

// Package walletfitest gives answers their intent as the builders do.
func init() {
	faking.AddAnswered(
		func(r BuildRequest, t *Transaction) walletfi.Intent { return r.intent(&t.Quote) },
		func(t *Transaction) *walletfi.Intent { return &t.intent },
	)
	faking.Add(BuildV1Request.intent, func(t *TransactionV1) *walletfi.Intent { return &t.intent })
	faking.Add(FeeTransferRequest.intent, func(t *TransactionV1) *walletfi.Intent { return &t.intent })
}
