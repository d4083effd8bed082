package ledger

import (
	"maps"

	"github.com/gagliardetto/solana-go"
)

// Submit lands a transaction, or returns the reason for dropping it. A landed
// transaction either succeeds or fails as a whole; a failure is in its receipt
// and costs only the fee. A second Submit of a transaction returns
// ErrAlreadyProcessed with the first receipt.
func (l *Ledger) Submit(raw []byte) (*Receipt, error) {
	tx, err := Parse(raw)
	if err != nil {
		return nil, err
	}
	if done, ok := l.receipts[tx.Signatures[0]]; ok && tx.verify() {
		return done, ErrAlreadyProcessed
	}
	e, refused := l.admit(tx, true, HashLifetime+1)
	if refused != nil {
		return nil, refused
	}
	receipt := e.run()
	l.keep(receipt.Slot, e.changed, l.accounts)
	e.commit()
	l.record(receipt)
	if receipt.Err == nil {
		for _, f := range e.after {
			f(receipt)
		}
	}
	for _, f := range l.watchers {
		f(receipt)
	}
	return receipt, nil
}

// Simulation says how a transaction would go.
type Simulation struct {
	*Receipt
	Accounts map[solana.PublicKey]*Account // as they would be
}

// Simulate executes a transaction on a copy. verify checks its signatures and
// blockhash; replace accepts any blockhash.
func (l *Ledger) Simulate(raw []byte, verify, replace bool) (*Simulation, error) {
	_, simulation, err := l.simulate(raw, verify, replace)
	return simulation, err
}

func (l *Ledger) simulate(raw []byte, verify, replace bool) (*execution, *Simulation, error) {
	tx, err := Parse(raw)
	if err != nil {
		return nil, nil, err
	}
	if replace {
		tx.Blockhash, _ = l.Blockhash(0)
	}
	if r, ok := l.receipts[tx.Signatures[0]]; ok && verify && r.Slot <= l.Slot() {
		return nil, nil, ErrAlreadyProcessed
	}
	e, refused := l.admit(tx, verify, HashLifetime)
	if refused != nil {
		return nil, nil, refused
	}
	receipt := e.run()
	state := maps.Clone(e.changed)
	if receipt.Err != nil {
		state = nil
	}
	return e, &Simulation{receipt, state}, nil
}

// Refusal says why a transaction would be dropped or fail, nil if it would do neither.
func (l *Ledger) Refusal(raw []byte) error {
	simulation, err := l.Simulate(raw, true, false)
	if err == nil && simulation.Err != nil {
		return simulation.Err
	}
	return err
}

// Touched returns an account as the simulation leaves it.
func (s *Simulation) Touched(l *Ledger, key solana.PublicKey) *Account {
	if a, ok := s.Accounts[key]; ok {
		if a.empty() {
			return nil
		}
		return a
	}
	return l.Account(key)
}

func (tx *Transaction) verify() bool {
	for i, s := range tx.Signatures {
		if !s.Verify(tx.Keys[i], tx.Message) {
			return false
		}
	}
	return true
}

// admit makes the checks that precede execution, with a blockhash of at most an age.
func (l *Ledger) admit(tx *Transaction, verify bool, age uint64) (*execution, *TxError) {
	if verify && !tx.verify() {
		return nil, ErrSignature
	}
	e := &execution{Ledger: l, tx: tx, changed: map[solana.PublicKey]*Account{}}
	if err := e.load(); err != nil {
		return nil, err
	}
	if !l.young(tx.Blockhash, l.Slot(), age) && !e.usesNonce() {
		return nil, ErrBlockhash
	}
	if err := e.readBudget(); err != nil {
		return nil, err
	}
	if err := e.chargeFee(); err != nil {
		return nil, err
	}
	return e, e.checkLoaded()
}

// checkLoaded refuses to run accounts without a program, and to load more data than the transaction
// allows itself.
func (e *execution) checkLoaded() *TxError {
	used := map[solana.PublicKey]bool{}
	for _, in := range e.tx.Instructions {
		key := e.tx.Keys[in.Program]
		used[key] = true
		if _, ok := e.programs[key]; ok {
			continue
		}
		if e.peek(key).empty() {
			return ErrNoProgram
		}
		return ErrNotProgram
	}
	total := tableLoad * uint64(len(e.tx.Lookups))
	for _, key := range e.keys {
		if a := e.peek(key); !a.empty() {
			total += accountLoad + uint64(len(a.Data)) + programData[key]
		}
	}
	if total > e.dataLimit {
		return ErrTooMuchData
	}
	return nil
}

// load resolves the lookup tables and refuses accounts that are loaded twice.
func (e *execution) load() *TxError {
	var writable, readonly []solana.PublicKey
	for _, lookup := range e.tx.Lookups {
		table, ok := e.accounts[lookup.Table]
		if !ok {
			return ErrNoTable
		}
		if table.Owner != solana.AddressLookupTableProgramID {
			return ErrTableOwner
		}
		keys, err := e.tableKeys(table.Data)
		if err != nil {
			return err
		}
		for _, set := range []struct {
			indexes []byte
			into    *[]solana.PublicKey
		}{{lookup.Writable, &writable}, {lookup.Readonly, &readonly}} {
			for _, i := range set.indexes {
				if int(i) >= len(keys) {
					return ErrTableIndex
				}
				*set.into = append(*set.into, keys[i])
			}
		}
	}
	e.keys = append(append(append(e.keys, e.tx.Keys...), writable...), readonly...)
	e.loaded = [2]int{len(writable), len(readonly)}
	seen := map[solana.PublicKey]bool{}
	for i, key := range e.keys {
		if seen[key] {
			return ErrLoadedTwice
		}
		seen[key] = true
		static := i < len(e.tx.Keys)
		e.metas = append(e.metas, Meta{
			Key: key, Signer: e.tx.signer(i),
			Writable: static && e.tx.writable(i) || !static && i < len(e.tx.Keys)+len(writable),
		})
	}
	return nil
}

// chargeFee charges the fee, which the payer owes even if the transaction
// fails.
func (e *execution) chargeFee() *TxError {
	payer := e.account(e.keys[0])
	if payer.Lamports == 0 {
		return ErrNoAccount
	}
	if payer.Owner != solana.SystemProgramID || len(payer.Data) > 0 && len(payer.Data) != nonceSize {
		return ErrPayer
	}
	if payer.Lamports < e.fee {
		return ErrFee
	}
	left := payer.Lamports - e.fee
	if left > 0 && left < Rent(len(payer.Data)) {
		return &TxError{Kind: "InsufficientFundsForRent"}
	}
	e.pre, e.preToken = e.balances()
	payer.Lamports -= e.fee
	e.afterFee = payer.clone()
	return nil
}

// run carries out the instructions and writes the receipt.
func (e *execution) run() *Receipt {
	r := &Receipt{
		Signature: e.tx.Signatures[0], Slot: e.Slot(), Time: e.clock.Now(), Tx: e.tx, Keys: e.keys, Loaded: e.loaded,
		Fee: e.fee, Bid: e.bid(), Pre: e.pre, PreToken: e.preToken,
	}
	for i, in := range e.tx.Instructions {
		e.index, e.inner = i, nil
		if err := e.top(in); err != nil {
			r.Err = &TxError{Kind: "InstructionError", Instruction: i, Cause: err}
			break
		}
		if len(e.inner) > 0 {
			r.Inner = append(r.Inner, InnerSet{i, e.inner})
		}
	}
	if r.Err == nil {
		r.Err = e.checkRent()
	}
	if r.Err != nil {
		e.rollBack()
	}
	r.Logs, r.Units = e.logs, e.units
	r.Post, r.PostToken = e.balances()
	return r
}

// rollBack undoes everything but the fee and the advance of a nonce.
func (e *execution) rollBack() {
	kept := map[solana.PublicKey]*Account{e.keys[0]: e.afterFee}
	if e.nonce != nil {
		if account := e.nonceAdvanced(); account != nil {
			if *e.nonce == e.keys[0] {
				account.Lamports = e.afterFee.Lamports
			}
			kept[*e.nonce] = account
		}
	}
	e.changed = kept
}

// checkRent refuses a change that leaves an account below the rent exemption.
func (e *execution) checkRent() *TxError {
	for i, key := range e.keys {
		a, ok := e.changed[key]
		if !ok || a.Lamports == 0 || a.Lamports >= Rent(len(a.Data)) || a.Executable {
			continue
		}
		if before, ok := e.accounts[key]; ok && before.Lamports == a.Lamports && len(before.Data) == len(a.Data) {
			continue
		}
		return &TxError{Kind: "InsufficientFundsForRent", Account: i}
	}
	return nil
}

// commit writes what changed. Accounts without lamports are deleted.
func (e *execution) commit() {
	for key, a := range e.changed {
		if a.Lamports == 0 {
			delete(e.accounts, key)
			continue
		}
		e.accounts[key] = a
	}
}

func (e *execution) balances() (lamports []uint64, tokens []TokenBalance) {
	for i, key := range e.keys {
		a := e.peek(key)
		lamports = append(lamports, a.Lamports)
		if t, ok := AsToken(a); ok {
			b := TokenBalance{Index: i, Mint: t.Mint(), Owner: t.Owner(), Program: a.Owner, Amount: t.Amount()}
			if m, ok := AsMint(e.peek(t.Mint())); ok {
				b.MintDecimals = m.Decimals()
			}
			tokens = append(tokens, b)
		}
	}
	return lamports, tokens
}
