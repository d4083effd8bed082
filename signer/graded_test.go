package signer_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signer"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/signing/signingtest"
)

// call is a request that calls the pinned program, with what it names at the position that
// must be ours.
func (r *rig) call(data byte, receives signing.PublicKey) signing.SetRequest {
	q := r.pay(payee, sol)
	q.Unsigned.Intent.Service, q.Unsigned.Intent.PayTo = "lending", nil
	tx := signingtest.Transaction{FeePayer: owner, Blockhash: r.blockhash(), Instructions: []signingtest.Instruction{{
		Program: program, Data: []byte{data}, Accounts: []signingtest.Account{
			{Key: owner, Signer: true, Writable: true}, {Key: receives},
		},
	}}}
	q.Unsigned.Transactions = []walletfi.EncodedTransaction{tx.Unsigned(r.t)}
	return q
}

// takes has the simulations show the owner with lamports, of which a call takes some.
func (r *rig) takes(has, taken uint64) {
	r.chain.mu.Lock()
	defer r.chain.mu.Unlock()
	r.simulate = func(q signing.SimulationRequest) (*signing.Simulation, error) {
		out := &signing.Simulation{Slot: r.slot}
		for _, k := range q.Accounts {
			before, after := r.accounts[k], r.accounts[k]
			if k == owner {
				before.Lamports, after.Lamports = walletfi.Amount(has), walletfi.Amount(has-taken-baseFee)
			}
			out.Before, out.After = append(out.Before, before), append(out.After, after)
		}
		return out, nil
	}
}

func (r *rig) judged(q signing.SetRequest) *signer.Message {
	r.t.Helper()
	d, err := r.Judge(r.t.Context(), "trader", q)
	require.NoError(r.t, err)
	require.Len(r.t, d.Messages, 1)
	return d.Messages[0]
}

func TestASimulationIsGraded(t *testing.T) {
	r := newRig(t, 2)
	r.takes(7*sol, sol/2)
	m := r.judged(r.call(1, owner))
	assert.Equal(t, signer.GradeSimulation, m.Grade)
	require.Len(t, m.Debits, 1)
	assert.Equal(t, int64(sol/2+baseFee), m.Debits[0].Amount)
	assert.Equal(t, int64(7*sol), m.Debits[0].Exposure)

	r.takes(11*sol, sol/2)
	r.refused("trader", r.call(1, owner), signer.CodeExposure)
	r.takes(7*sol, sol/2)
	r.refused("trader", r.call(1, thief), "guard."+string(signing.RuleBlind)) // it releases to another
	r.refused("trader", r.call(2, owner), "guard."+string(signing.RulePinnedCall))
	r.chain.simulate = nil
	r.refused("trader", r.call(1, owner), "guard."+string(signing.RuleBlind))
}

// TestOneLiveSimulatedTransaction: what one transaction showed does not hold after another.
func TestOneLiveSimulatedTransaction(t *testing.T) {
	r := newRig(t, 2)
	r.takes(3*sol, sol/2)
	r.signed(r.pay(payee, 1))
	assert.True(t, r.refused("trader", r.call(1, owner), signer.CodeBusy).Waits)
	r = newRig(t, 2)
	r.takes(3*sol, sol/2)
	tx := r.signed(r.call(1, owner))
	assert.True(t, r.refused("trader", r.call(1, owner), signer.CodeBusy).Waits)
	r.refused("trader", r.pay(payee, 1), signer.CodeBusy)
	require.True(t, r.land(tx, ""))
	assert.Error(t, r.trySettle(), "no node shows the effects yet")
	r.refused("trader", r.pay(payee, 1), signer.CodeBusy)
	r.tookOf(tx, 3*sol, sol/2+baseFee)
	r.settle()
	r.signed(r.pay(payee, 1))
}

func (r *rig) trySettle() error {
	r.pass(2 * finality * slotTime)
	return r.Settle(r.t.Context())
}

// tookOf says what a transaction has really taken of the owner's SOL.
func (r *rig) tookOf(tx *signing.Transaction, has, taken uint64) {
	r.chain.mu.Lock()
	defer r.chain.mu.Unlock()
	r.effects[tx.Signature().String()] = &walletfi.Effects{
		Signature: tx.Signature().String(), Slot: r.slot, FeePayer: owner.String(), Fee: baseFee,
		Lamports: []walletfi.LamportChange{{Account: owner.String(), Change: walletfi.Change{
			Before: walletfi.Amount(has), After: walletfi.Amount(has - taken),
		}}},
	}
}

// TestAnExcessIsCountedAndFreezes: a program that takes more on chain than it did in the
// simulation is seen.
func TestAnExcessIsCountedAndFreezes(t *testing.T) {
	r := newRig(t, 2)
	r.takes(4*sol, sol/2)
	tx := r.signed(r.call(1, owner))
	require.True(t, r.land(tx, ""))
	r.tookOf(tx, 4*sol, 4*sol)
	r.settle()
	assert.Equal(t, int64(sol), r.left())
	r.refused("trader", r.pay(payee, 1), signer.CodeFrozen)
	require.NoError(t, r.Signer.Close())
	_, err := signer.Audit(t.Context(), r.cfg.Store, r.cfg.Anchor, public)
	require.NoError(t, err)
	r.open()
	assert.Equal(t, int64(sol), r.left())
}

// TestTheGreatestOfWhatNodesShow: a node that shows less does not make a debit smaller.
func TestTheGreatestOfWhatNodesShow(t *testing.T) {
	r := newRig(t, 2)
	r.takes(3*sol, sol/2)
	honest := r.chain.simulate
	low := &node{chain: newChain(), id: "low"}
	low.chain.slot, low.chain.born = r.slot, r.born
	low.chain.simulate = func(q signing.SimulationRequest) (*signing.Simulation, error) {
		out, err := honest(q)
		for i, k := range q.Accounts {
			if k == owner {
				out.After[i].Lamports = out.Before[i].Lamports - baseFee
			}
		}
		return out, err
	}
	r.cfg.Nodes = []signer.Node{r.nodes[0], low}
	r.reopen()
	q := r.call(1, owner)
	m := r.judged(q)
	assert.Equal(t, int64(sol/2+baseFee), m.Debits[0].Amount)
}

// TestNoSimulationOnANonce: a signature on a durable nonce is good when what a simulation showed is long past.
func TestNoSimulationOnANonce(t *testing.T) {
	text := strings.Replace(policyText(), "[[owner.ceiling]]", "nonces = [\""+nonce.String()+"\"]\n[[owner.ceiling]]", 1)
	r := newRig(t, 2, under(t, text))
	assert.Contains(t, strings.Join(r.cfg.Policy.Words(), "\n"), "signs on the durable nonce "+nonce.String())
	r.takes(7*sol, sol/2)
	advance := signingtest.Instruction{Program: signing.SystemProgram, Data: []byte{4, 0, 0, 0}, Accounts: []signingtest.Account{
		{Key: nonce, Writable: true}, {Key: signing.MustPublicKey("SysvarRecentB1ockHashes11111111111111111111")},
		{Key: owner, Signer: true},
	}}
	on := func(q signing.SetRequest, do signingtest.Instruction) signing.SetRequest {
		tx := signingtest.Transaction{
			FeePayer: owner, Blockhash: keyed("value"), Instructions: []signingtest.Instruction{advance, do},
		}
		q.Unsigned.Transactions = []walletfi.EncodedTransaction{tx.Unsigned(t)}
		return q
	}
	r.refused("trader", on(r.call(1, owner), signingtest.Instruction{
		Program: program, Data: []byte{1}, Accounts: []signingtest.Account{{Key: owner, Signer: true, Writable: true}, {Key: owner}},
	}), signer.CodeNonce)
	m := r.judged(on(r.pay(payee, sol), signingtest.Transfer(owner, payee, sol)))
	assert.Equal(t, signer.GradeBytes, m.Grade)
}
