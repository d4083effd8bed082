package wallet

import (
	"context"
	"errors"
	"testing"

	"github.com/walletfi/walletfi-go"
)

var errAway = errors.New("away")

// questioning is a pass on a node that shows the truth of a ledger, or fails at one question.
func questioning(t *testing.T, tip uint64, failing string) (*pass, *Honest) {
	n := &Honest{
		T: t, Tip: func() Head { return made(tip) }, Block: func(string) Head { return made(5000) },
		Status: func(string) (walletfi.SignatureStatus, error) { return walletfi.SignatureStatus{}, nil },
		Nonce:  func(string, uint64) string { return "43" }, Used: func(string, string) string { return "" },
	}
	n.Hear = func(_ context.Context, question string) error {
		if question == failing {
			return errAway
		}
		return nil
	}
	return &pass{
		node: n, valid: n, final: made(tip - Finality), dear: &pauses{}, home: func(context.Context) error { return nil },
	}, n
}

// questioned is a transaction that a pass is asked about.
func questioned(signature string) *item {
	return &item{
		after: made(4960),
		step:  step{Signature: signature, Own: signature, Blockhash: "5000", NonceAccount: "account"},
	}
}
