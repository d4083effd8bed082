package signing

import (
	"context"

	"github.com/walletfi/walletfi-go"
)

// TurnOff makes a guard without one rule.
func (g *Guard) TurnOff(r Rule) { g.off = r }

// DecodeAllWithout is DecodeAll without one rule.
func DecodeAllWithout(r Rule, u walletfi.Unsigned) ([]*Transaction, error) {
	var txs []*Transaction
	for _, encoded := range u.Transactions {
		tx, err := decode(encoded, r)
		if err != nil {
			return nil, err
		}
		txs = append(txs, tx)
	}
	return txs, nil
}

// Rules are all rules of the guard.
var Rules = []Rule{
	RuleEncoding, RuleVersion, RuleSanity, RuleSigners, RuleLifetime, RuleLookup, RuleSet, RuleTip,
	RuleSystemTransfer, RuleSystemCreate, RuleSystemAssign, RuleSystemNonce, RuleSystemUnknown,
	RuleTokenTransfer, RuleTokenApprove, RuleTokenAuthority, RuleTokenClose, RuleTokenBurn, RuleTokenInitialize, RuleTokenMint,
	RuleTokenBatch, RuleTokenUnknown,
	RuleAssociatedToken, RuleRent, RuleComputeBudget, RuleNetworkFee, RuleDeniedProgram, RuleUnknownProgram, RuleProtectedAccount,
	RuleSimulationFailed, RuleSimulationSpend, RuleSimulationArrival, RuleSimulationAuthority,
}

// CheckDecoded is CheckSet for what DecodeAllWithout decoded.
func (g *Guard) CheckDecoded(ctx context.Context, txs []*Transaction, u walletfi.Unsigned, opts ...Option) error {
	_, err := g.check(ctx, txs, u.Intent, circumstances{Blockhash: u.Blockhash, LastValidBlockHeight: u.LastValidBlockHeight}, opts)
	return err
}
