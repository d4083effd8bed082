package swap

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/faking"
)

// Package walletfitest gives answers their intent as the builders do.
func init() {
	faking.Add(BuildRequest.intent, func(t *Transaction) *walletfi.Intent { return &t.intent })
	faking.AddAnswered(
		func(r OrderRequest, o *Order) walletfi.Intent { return r.intent(o.OrderQuote) },
		func(o *Order) *walletfi.Intent { return &o.intent },
	)
	faking.AddAnswered(IntentRequest.asked, func(i *BuiltIntent) *walletfi.Intent { return &i.intent })
	faking.Add(PredictionMarketInitRequest.intent, func(i *PredictionMarketInit) *walletfi.Intent { return &i.intent })
}
