package ledger

import (
	"fmt"
	"maps"

	"github.com/gagliardetto/solana-go"
)

// BundleError says why a bundle did not land.
type BundleError struct {
	Index int   // of the one that could not
	Err   error // a *TxError, or what is wrong with its bytes
}

// Error names the transaction and the reason.
func (e *BundleError) Error() string { return fmt.Sprintf("transaction %d: %v", e.Index, e.Err) }

// Unwrap is the reason.
func (e *BundleError) Unwrap() error { return e.Err }

// SubmitAll lands transactions in order, or no transaction: if one fails, the
// ledger is restored, fees included. each, which may be nil, is called after
// every transaction; functions passed to After run once all have landed.
func (l *Ledger) SubmitAll(raws [][]byte, each func(*Receipt)) ([]*Receipt, error) {
	saved := maps.Clone(l.accounts)
	var receipts []*Receipt
	changed := map[solana.PublicKey]*Account{}
	var after []func()
	for i, raw := range raws {
		e, receipt, err := l.attempt(raw)
		if err != nil {
			l.accounts = saved
			for _, r := range receipts {
				delete(l.receipts, r.Signature)
			}
			return nil, &BundleError{i, err}
		}
		maps.Copy(changed, e.changed)
		e.commit()
		l.receipts[receipt.Signature] = receipt
		receipts = append(receipts, receipt)
		for _, f := range e.after {
			after = append(after, func() { f(receipt) })
		}
		if each != nil {
			each(receipt)
		}
	}
	for _, r := range receipts {
		l.record(r)
	}
	l.keep(l.Slot(), changed, saved)
	for _, f := range after {
		f()
	}
	for _, r := range receipts {
		for _, f := range l.watchers {
			f(r)
		}
	}
	return receipts, nil
}

// SimulateAll executes transactions in order on a copy, until one fails. look is called
// before and after each: Account then tells what its accounts are at that point. The
// error of the last, if it would not even land, is err.
func (l *Ledger) SimulateAll(
	raws [][]byte, verify, replace bool, look func(i int, after bool),
) (all []*Simulation, err error) {
	saved := l.accounts
	l.accounts = maps.Clone(saved)
	defer func() { l.accounts = saved }()
	for i, raw := range raws {
		look(i, false)
		e, simulation, err := l.simulate(raw, verify, replace)
		if err != nil {
			return all, err
		}
		all = append(all, simulation)
		if simulation.Err != nil {
			break
		}
		e.commit()
		for _, f := range e.rehearse {
			defer f(simulation.Receipt)()
		}
		look(i, true)
	}
	return all, nil
}

// attempt executes a transaction without committing it. Unlike Submit, it does
// not land a failed transaction.
func (l *Ledger) attempt(raw []byte) (*execution, *Receipt, error) {
	tx, err := Parse(raw)
	if err != nil {
		return nil, nil, err
	}
	if _, ok := l.receipts[tx.Signatures[0]]; ok {
		return nil, nil, ErrAlreadyProcessed
	}
	e, refused := l.admit(tx, true, HashLifetime+1)
	if refused != nil {
		return nil, nil, refused
	}
	receipt := e.run()
	if receipt.Err != nil {
		return nil, nil, receipt.Err
	}
	return e, receipt, nil
}
