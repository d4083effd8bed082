package signing

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"

	"github.com/walletfi/walletfi-go"
)

// Digest identifies what a person approves by the report: the exact messages and their order,
// the intent, what the guard's policy allows, and the report's text without what a
// simulation showed and when the blockhash ends, which change by the slot. It is SHA-256, in
// hexadecimal. Show the report in another process or page, take the digest back
// with the approval, and sign with [Guard.SignApproved].
func (r *Report) Digest() string {
	if r.digest == "" && r.hasMessages() {
		intent, _ := json.Marshal(r.Intent) // of texts and numbers
		parts := append(messages(r.all()), intent, r.guard.allows(), []byte(r.text(true)))
		r.digest = digestOf("walletfi approval 2\n", parts)
	}
	return r.digest
}

// MessagesDigest identifies the exact messages and their order alone, as a second guard with a
// policy of its own finds them, too. It binds none of what a person has read.
func (r *Report) MessagesDigest() string {
	if r.messages == "" && r.hasMessages() {
		r.messages = digestOf("walletfi messages 1\n", messages(r.all()))
	}
	return r.messages
}

func (r *Report) hasMessages() bool { return len(r.txs)+len(r.texts) > 0 }

// all are the reported transactions.
func (r *Report) all() []*Transaction {
	txs := r.txs
	for _, text := range r.texts {
		if tx, err := Decode(walletfi.Base64Transaction(text)); err == nil { // it was decoded before
			txs = append(txs, tx)
		}
	}
	return txs
}

func messages(txs []*Transaction) (all [][]byte) {
	for _, tx := range txs {
		all = append(all, tx.wire.Message())
	}
	return append(all, binary.BigEndian.AppendUint64(nil, uint64(len(txs))))
}

// shed lets go of the transactions once they are signed, and keeps the texts that they were decoded
// from: a report lives as long as the payment, and of all of it the transactions are the largest part.
func (r *Report) shed() {
	for _, tx := range r.txs {
		if tx.text == "" {
			r.texts = nil
			return
		}
		r.texts = append(r.texts, tx.text)
	}
	r.txs = nil
}

// digestOf hashes parts, each with its length.
func digestOf(kind string, parts [][]byte) string {
	h := sha256.New()
	h.Write([]byte(kind))
	for _, part := range parts {
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(part))))
		h.Write(part)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// allows is the fingerprint of the guard's policy.
func (g *Guard) allows() []byte {
	if g.fingerprint == nil { // the zero Guard
		return g.policy.fingerprint()
	}
	return g.fingerprint()
}

// fingerprint is the text of all that a policy allows, the same for the same policy. Who
// resolves, simulates and names tokens and instructions is not in it, nor whether a set is signed in steps.
func (p Policy) fingerprint() []byte {
	p.Stepwise = false
	p.Resolver, p.Tokens, p.Simulator, p.IDLs = nil, nil, nil, nil
	text, _ := json.Marshal(p) // of texts and numbers
	return text
}

// SignApproved is [Guard.SignSet] for a set that was approved by its digest: it
// checks the set again, and signs it only if messages, intent, policy and the report's text
// are the approved ones, as [Report.Digest] says. Otherwise the error is a [*GuardError] of
// RuleApproval.
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
			Found:   "messages, an intent, a policy or a report with the digest " + got,
			Allowed: "those that were approved, with the digest " + printable(digest)}
		return nil, report, report.Refusal
	}
	if err := g.signAll(ctx, txs, signer, report); err != nil {
		return nil, report, err
	}
	return txs, report, nil
}
