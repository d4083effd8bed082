package evidence

import (
	"context"
	"errors"
	"testing"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/wallet/internal/evidence/evidencetest"
)

type (
	// Head is a block of the ledger.
	Head = walletfi.Head
	// Honest is a node that shows the truth of a ledger.
	Honest = evidencetest.Node
)

// Finality is how many slots the finalized block is behind the newest one.
const Finality = evidencetest.Finality

// made is the block of a slot.
func made(slot uint64) Head { return evidencetest.Made(slot) }

func fails(context.Context, string) error { return errAway }

var errAway = errors.New("away")

// questioning is a pass on a node that shows the truth of a ledger, or fails at one question.
func questioning(t *testing.T, tip uint64, failing string) (*Pass, *Honest) {
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
	return &Pass{
		node: n, valid: n, Final: made(tip - Finality), dear: &pauses{}, home: func(context.Context) error { return nil },
	}, n
}

// questioned is a transaction that a pass is asked about.
func questioned(signature string) *Item {
	return &Item{
		After: made(4960),
		Step:  Step{Signature: signature, Own: signature, Blockhash: "5000", NonceAccount: "account"},
	}
}
