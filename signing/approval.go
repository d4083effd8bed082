package signing

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/walletfi/walletfi-go"
)

// Digest identifies the exact messages that the report is about, and their
// order: SHA-256, in hexadecimal. Show the report in another process or page,
// take the digest back with the approval, and sign with [Guard.SignApproved].
func (r *Report) Digest() string {
	if r.digest == "" && len(r.txs) > 0 {
		r.digest = digestOf(r.txs)
	}
	return r.digest
}

func digestOf(txs []*Transaction) string {
	h := sha256.New()
	h.Write([]byte("walletfi approval 1\n"))
	var length [8]byte
	for _, tx := range txs {
		message := tx.wire.Message()
		binary.BigEndian.PutUint64(length[:], uint64(len(message)))
		h.Write(length[:])
		h.Write(message)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// SignApproved is [Guard.SignSet] for a set that was approved by its digest: it
// checks the set again, and signs it only if its messages are the approved ones,
// byte for byte. Otherwise the error is a [*GuardError] of RuleApproval.
func (g *Guard) SignApproved(
	ctx context.Context, u walletfi.Unsigned, digest string, signer Signer, opts ...Option,
) ([]*Transaction, *Report, error) {
	if missing(signer) {
		return nil, nil, errNil("signer")
	}
	txs, report, err := g.CheckSet(ctx, u, opts...)
	if err != nil {
		return nil, report, err
	}
	if got := report.Digest(); got != digest {
		report.Refusal = &GuardError{Rule: RuleApproval, Instruction: EnvelopeInstruction,
			Found: "messages with the digest " + got, Allowed: "the approved messages, with the digest " + printable(digest)}
		return nil, report, report.Refusal
	}
	if err := g.signAll(ctx, txs, signer, report); err != nil {
		return nil, report, err
	}
	return txs, report, nil
}
