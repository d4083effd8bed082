package burnclose

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/faking"
)

// Package walletfitest gives answers their intent as the builders do.
func init() {
	fake[BurnRequest]()
	fake[CloseRequest]()
	faking.AddAnswered(CloseAllRequest.all, func(t *CloseAllTransactions) *walletfi.Intent { return &t.intent })
}

func fake[R single]() {
	faking.AddAnswered(
		func(r R, t *Transaction) walletfi.Intent { return r.intent(t.Reclaimed) },
		func(t *Transaction) *walletfi.Intent { return &t.intent },
	)
}
