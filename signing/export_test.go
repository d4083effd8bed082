package signing

import (
	"context"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing/internal/judge"
)

// Rules are all rules of the guard.
var Rules = []Rule{
	RuleEncoding, RuleVersion, RuleSanity, RuleSigners, RuleLifetime, RuleLookup, RuleSet, RuleTip, RuleArrival, RuleTooComplex, RuleBlind,
	RuleSystemTransfer, RuleSystemCreate, RuleSystemAssign, RuleSystemNonce, RuleSystemUnknown,
	RuleTokenTransfer, RuleTokenApprove, RuleTokenAuthority, RuleTokenClose, RuleTokenBurn, RuleTokenInitialize, RuleTokenMint,
	RuleTokenBatch, RuleTokenUnknown,
	RuleAssociatedToken, RuleRent, RuleComputeBudget, RuleNetworkFee, RuleDeniedProgram, RuleUnknownProgram, RulePinnedCall, RuleProtectedAccount,
	RuleSimulationFailed, RuleSimulationSpend, RuleSimulationArrival, RuleSimulationAuthority,
}

// Grounds returns every rule that refuses what a builder answered. A rule of
// the parser is a ground even if others hold too, because the judge reads the
// bytes as far as they can be read. readable is false if they cannot.
func (g *Guard) Grounds(ctx context.Context, u walletfi.Unsigned, opts ...Option) (grounds []Rule, readable bool, err error) {
	var txs []*Transaction
	for _, encoded := range u.Transactions {
		tx, broken, ok := decodeFaulty(encoded)
		if !ok {
			return append(grounds, broken...), false, nil
		}
		grounds = append(grounds, broken...)
		txs = append(txs, tx)
	}
	report, err := g.check(ctx, txs, &u.Intent, circumstances{Circumstances: judge.Circumstances{
		Blockhash: u.Blockhash, LastValidBlockHeight: u.LastValidBlockHeight,
	}}, nil, opts)
	if report == nil || report.Refusal == nil {
		return grounds, true, err
	}
	for _, refusal := range append([]*GuardError{report.Refusal}, report.Also...) {
		grounds = append(grounds, refusal.Rule)
	}
	return grounds, true, nil
}

// GroundsWithout are the grounds but for one rule's. A set is signed if it has
// none, so that an empty answer says that only this rule refuses it.
func GroundsWithout(grounds []Rule, off Rule) []Rule {
	return slices.DeleteFunc(slices.Clone(grounds), func(r Rule) bool { return r == off })
}

// decodeFaulty reads what is not well formed as far as it can be read, and
// says which rules of the parser it breaks.
func decodeFaulty(encoded walletfi.EncodedTransaction) (tx *Transaction, broken []Rule, readable bool) {
	room := func(size int) []byte {
		tx = newTransaction(size)
		return tx.wire.Raw
	}
	var faults *txwire.Faults
	switch text := encoded.(type) {
	case walletfi.Base64Transaction:
		faults = txwire.FromBase64(string(text), room)
	case walletfi.Base58Transaction:
		faults = txwire.FromBase58(string(text), room)
	}
	if faults == nil {
		faults = tx.wire.Parse()
	}
	if faults == nil {
		return tx, nil, true
	}
	for _, kind := range []txwire.Kind{txwire.Encoding, txwire.Unknown, txwire.Sanity} {
		if faults.Kinds&kind != 0 {
			broken = append(broken, ruleOf(kind))
		}
	}
	return tx, broken, !faults.Unreadable
}
