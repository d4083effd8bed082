package signing

import (
	"context"
	"crypto/ed25519"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing/internal/judge"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// Step says how far a set has come that is signed one transaction at a time.
type Step struct {
	// Executed are the effects on the owner of the transactions before the one to sign, in
	// order, as the ledger has them. Each names its transaction by the fee payer's signature.
	Executed []*walletfi.Effects
}

// SignStep checks the whole set as SignSet does, and signs the transaction that comes
// after the executed ones alone. What those have really changed counts in place of a
// simulation; the one that is signed is simulated by itself, on what they have left; the
// later ones are checked by their bytes, and are not signed: SignStep has to be called for
// each of them, after the execution of those before. The caps of the intent hold over
// the whole set each time. An error that answers to walletfi.ErrUnavailable is a simulator
// that has not reached the last execution.
func (g *Guard) SignStep(
	ctx context.Context, u walletfi.Unsigned, s Step, signer Signer, opts ...Option,
) (*Transaction, *Report, error) {
	if missing(signer) {
		return nil, nil, errNil("signer")
	}
	if err := s.problem(u); err != nil {
		return nil, nil, err
	}
	txs, report, err := g.checkSet(ctx, u, &s, opts)
	if err != nil {
		return nil, report, err
	}
	tx := txs[len(s.Executed)]
	if err := g.signAll(ctx, []*Transaction{tx}, signer, report); err != nil {
		return nil, report, err
	}
	return tx, report, nil
}

func (s *Step) problem(u walletfi.Unsigned) error {
	if len(s.Executed) >= max(len(u.Transactions), 1) {
		return &walletfi.ValidationError{Field: "Executed", Problem: "leaves no transaction to sign"}
	}
	for i, e := range s.Executed {
		if e == nil || e.Err != "" || e.Slot == 0 {
			return &walletfi.ValidationError{Field: "Executed", Problem: fmt.Sprintf("%d is no success in a slot", i+1)}
		}
	}
	return nil
}

// of refuses effects of transactions that are not those of the set: what they did would be taken
// for what the set has done. The first signature is the fee payer's.
func (s *Step) of(txs []*Transaction) error {
	if s == nil {
		return nil
	}
	for i, e := range s.Executed {
		payer, wire := txs[i].FeePayer(), &txs[i].wire
		signature, err := ParseSignature(e.Signature)
		if err != nil || !ed25519.Verify(payer[:], wire.Message(), signature[:]) {
			return &walletfi.ValidationError{
				Field:   "Executed",
				Problem: fmt.Sprintf("%d does not have a signature of transaction %d by its fee payer", i+1, i+1),
			}
		}
	}
	return nil
}

// newest is the newest slot of the executions.
func (s *Step) newest() (slot uint64) {
	for _, e := range s.Executed {
		slot = max(slot, e.Slot)
	}
	return slot
}

// executed reports a transaction whose effects are known.
func (s *Step) executed(i int) bool { return s != nil && i < len(s.Executed) }

// reached refuses a simulation on a state from before the last execution.
func (s *Step) reached(simulation *Simulation) error {
	if len(s.Executed) == 0 || simulation == nil {
		return nil
	}
	if last := s.newest(); simulation.Slot < last {
		return fmt.Errorf("%w: it is at slot %d, the transaction before this one was executed in slot %d",
			walletfi.ErrUnavailable, simulation.Slot, last)
	}
	return nil
}

// follows refuses a simulation that starts from less in an account of ours than the last
// execution left there: what arrived by the executions would be taken unseen. The owner's
// own SOL changes by much else, and is held by the slot alone.
func (s *Step) follows(ours func(account, holder PublicKey) bool, keys []judge.Key, before []AccountState) error {
	for i := range min(len(keys), len(before)) {
		account := PublicKey(keys[i])
		for _, e := range slices.Backward(s.Executed) {
			_, left, err := around(e, account.String())
			if err != nil {
				return err
			}
			if left.Lamports == 0 {
				continue // it tells nothing of the account
			}
			held, isToken := program.ReadTokenState(left)
			now := states(before[i : i+1])[0]
			has, _ := program.ReadTokenState(now)
			less := now.Lamports < left.Lamports
			if isToken {
				less = has.Amount < held.Amount
			}
			if less && ours(account, PublicKey(held.Owner)) {
				return fmt.Errorf("%w: it shows less in %s than the transactions before this one left there",
					walletfi.ErrUnavailable, account)
			}
			break
		}
	}
	return nil
}

// changed is an execution in the judge's terms. Of an account's state effects tell what the
// judge counts: lamports, and a token account's owner, mint and amount. All that changed
// count, also those that no resolver tells to be among the transaction's.
func changed(e *walletfi.Effects, owner string, accounts []judge.Key) (*judge.Simulation, error) {
	out := &judge.Simulation{StatesOnly: true, Accounts: accounts}
	if err := add(out, e); err != nil {
		return nil, err
	}
	for _, k := range out.Accounts {
		account := PublicKey(k).String()
		before, after, err := around(e, account)
		if err != nil {
			return nil, err
		}
		if before.Lamports == 0 && after.Owner == program.System && account != owner {
			// It was made, with as much space as its lamports exempt.
			after.Data = make([]byte, min(program.SpaceOf(after.Lamports), mostMade))
		}
		out.Before, out.After = append(out.Before, before), append(out.After, after)
	}
	return out, nil
}

// add adds the accounts of effects.
func add(to *judge.Simulation, e *walletfi.Effects) error {
	var all []string
	for _, l := range e.Lamports {
		all = append(all, l.Account)
	}
	for _, t := range e.Tokens {
		all = append(all, t.Account)
	}
	for _, text := range all {
		k, err := ParsePublicKey(text)
		if err != nil {
			return err
		}
		if !slices.Contains(to.Accounts, judge.Key(k)) {
			to.Accounts = append(to.Accounts, judge.Key(k))
		}
	}
	return nil
}

const (
	mostMade  = 10_240 // bytes of an account that a call makes
	unchanged = 1      // lamports of a token account of which effects tell only the tokens
)

// around is an account before and after an execution.
func around(e *walletfi.Effects, account string) (before, after program.State, err error) {
	lamports := e.Lamport(account)
	before, after = program.State{Lamports: uint64(lamports.Before)}, program.State{Lamports: uint64(lamports.After)}
	var tokens []walletfi.TokenChange // two if it has come into other hands
	for _, t := range e.Tokens {
		if t.Account == account {
			tokens = append(tokens, t)
		}
	}
	if len(tokens) == 0 {
		return before, after, nil
	}
	if lamports == (walletfi.Change{}) {
		before.Lamports, after.Lamports = unchanged, unchanged
	}
	first, last := tokens[0], tokens[len(tokens)-1]
	if err = holds(&before, first, first.Before); err == nil {
		err = holds(&after, last, last.After)
	}
	return before, after, err
}

// holds makes a state that of a token account, if there is one.
func holds(s *program.State, t walletfi.TokenChange, amount walletfi.Amount) error {
	if s.Lamports == 0 {
		return nil
	}
	mint, err := ParsePublicKey(t.Mint)
	if err != nil {
		return err
	}
	owner, err := ParsePublicKey(t.Owner)
	if err != nil {
		return err
	}
	s.Owner, s.Data = program.Token, program.TokenAccount(program.Key(mint), program.Key(owner), uint64(amount))
	return nil
}
