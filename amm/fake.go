package amm

import (
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/faking"
)

// Package walletfitest gives answers their intent as the builders do.
func init() {
	faking.Add(BuildRequest.faked, func(s *Transaction) *walletfi.Intent { return &s.intent })
}

// faked is the intent of a request whose quote a test may have made, without a request of its own.
func (r BuildRequest) faked() walletfi.Intent {
	if q := *r.Quote; q.request == (QuoteRequest{}) {
		q.kind, q.request = BaseIn, QuoteRequest{InputMint: q.InputMint, OutputMint: q.OutputMint, Amount: q.InAmount}
		r.Quote = &q
	}
	return r.intent()
}
