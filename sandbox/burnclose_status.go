package sandbox

import (
	"maps"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

type burnCloseStatusRequest struct {
	Signature string `body:"signature,required"`
	Search    *bool  `body:"searchTransactionHistory"` // true where it is not sent
}

// transactionStatus tells what became of a signature. Without the history the
// last 150 slots are known. The payload stands under "status", or its fields
// beside the others with "status" as a word.
func (b *burnClose) transactionStatus(c *call, in burnCloseStatusRequest) (any, error) {
	signature, err := solana.SignatureFromBase58(in.Signature)
	if err != nil {
		return nil, burnCloseBad("signature is not the base58 of 64 bytes")
	}
	commitment, r := b.status(signature)
	if in.Search != nil && !*in.Search && r != nil && b.slot() > r.Slot+ledger.HashLifetime {
		r = nil
	}
	answer := map[string]any{"signature": in.Signature, "found": r != nil}
	shape := c.shape(2)
	if r == nil {
		if shape == 0 {
			answer["status"] = nil
		}
		return answer, nil
	}
	payload := signatureStatus(commitment, b.slot(), r).(map[string]any)
	if shape == 0 {
		delete(payload, "status")
		answer["status"] = payload
		return answer, nil
	}
	maps.Copy(answer, payload)
	answer["status"] = commitment
	return answer, nil
}

// confirmation says in one of two shapes how far a transaction has come that
// was waited for.
func (b *burnClose) confirmation(signature solana.Signature, wanted string, shape int) any {
	reached, r := b.status(signature)
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
	payload := signatureStatus(reached, b.slot(), r).(map[string]any)
	delete(payload, "status")
	return payload
}
