package leverage

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/faking"
)

// Package walletfitest gives answers their intent as the builders do.
func init() {
	fake[OpenRequest]()
	fake[CloseRequest]()
	fake[AddCollateralRequest]()
	fake[IncreaseBorrowRequest]()
	fake[RepayRequest]()
	fake[PartialRepayRequest]()
	fake[SplitRequest]()
	fake[MergeRequest]()
	faking.Add(PartialSellRequest.intent, func(s *PartialSell) *walletfi.Intent { return &s.intent })
}

func fake[R request]() {
	faking.Add(func(r R) walletfi.Intent { return asked(r) }, func(t *Transaction) *walletfi.Intent { return &t.intent })
}
