package burnclose

import (
	"maps"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

type statusRequest struct {
	Signature string `body:"signature,required" form:"signature"`
	Search    *bool  `body:"searchTransactionHistory"` // true if it is not sent
}

// transactionStatus reports the status of a transaction by its signature.
// Without the history the last 150 slots are known. The payload is under
// "status", or its fields are among the others with "status" as a word.
func (b *Service) transactionStatus(c *kit.Call, in statusRequest) any {
	signature, err := solana.SignatureFromBase58(in.Signature)
	kit.BadIf(err != nil, "signature is not the base58 of 64 bytes")
	commitment, r := b.Status(signature)
	if in.Search != nil && !*in.Search && r != nil && b.CurrentSlot() > r.Slot+ledger.HashLifetime {
		r = nil
	}
	answer := map[string]any{"signature": in.Signature, "found": r != nil}
	shape := c.Shape(2)
	if r == nil {
		if shape == 0 {
			answer["status"] = nil
		}
		return answer
	}
	payload := build.SignatureStatus(commitment, b.CurrentSlot(), r).(map[string]any)
	if shape == 0 {
		delete(payload, "status")
		answer["status"] = payload
		return answer
	}
	maps.Copy(answer, payload)
	answer["status"] = commitment
	return answer
}

// confirmation reports the commitment of an awaited transaction, in one of two
// shapes.
func (b *Service) confirmation(signature solana.Signature, wanted string, shape int) any {
	reached, r := b.Status(signature)
	done := b.settled(signature, wanted)
	if shape == 0 {
		answer := map[string]any{"confirmed": done && r.Err == nil, "commitment": wanted, "timedOut": !done, "err": nil}
		if r != nil {
			answer["slot"] = r.Slot
			if r.Err != nil {
				answer["err"] = r.Err
			}
		}
		return answer
	}
	if r == nil {
		return map[string]any{"confirmationStatus": nil, "err": nil}
	}
	payload := build.SignatureStatus(reached, b.CurrentSlot(), r).(map[string]any)
	delete(payload, "status")
	return payload
}
