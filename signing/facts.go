package signing

import "slices"

// facts is what a transaction says of accounts, learned before anything is
// judged. All of a transaction's instructions succeed or none does, so that a
// fact holds wherever in the transaction it stands.
type facts struct {
	created  []creation
	atas     []ataCreation
	inits    []initialisation
	closed   []event
	revoked  []event
	credited []PublicKey // accounts that get lamports by a transfer or a close
	mints    []PublicKey // that instructions name
}

// creation is an account that the System program makes.
type creation struct {
	event
	owner  PublicKey // program
	excess uint64    // lamports beyond its rent that we pay
}

// ataCreation is an associated token account; the program that makes it holds
// its address against wallet, mint and token program.
type ataCreation struct {
	event
	wallet  PublicKey
	mint    *PublicKey // nil where a table names it
	program PublicKey  // token program
}

// initialisation makes a token account or a mint of a new account.
type initialisation struct {
	event
	program PublicKey
	mint    *PublicKey // of a token account, nil where a table names it
	owner   PublicKey
	isMint  bool
}

// event is something that happens to an account.
type event struct {
	account PublicKey
	order   int
}

// learn is the first pass. What is malformed is left to the second. What a
// simulation shows is kept apart: a program can tell that it is simulated, so
// that it may add to what is refused and never to what is allowed.
func learn(c *checker, o *operation) *GuardError {
	if !o.simulated {
		c.facts.learn(c, o)
	}
	if len(c.inner) > 0 {
		c.simulatedFacts.learn(c, o)
	}
	return nil
}

// facts are those that an operation may be judged by.
func (o *operation) facts() *facts {
	if o.simulated {
		return &o.check.simulatedFacts
	}
	return &o.check.facts
}

func (f *facts) learn(c *checker, o *operation) {
	switch o.known.kind {
	case programSystem:
		f.learnSystem(c, o)
	case programToken:
		f.learnToken(o)
	case programAssociatedToken:
		f.learnAssociated(o)
	}
}

func (f *facts) learnSystem(c *checker, o *operation) {
	if create, ok := readCreate(o); ok && create.account != nil {
		made := creation{event: event{*create.account, o.order}, owner: create.owner}
		if c.signs(create.payer) {
			made.excess = create.lamports - min(create.lamports, rentOf(create.space))
		}
		f.created = append(f.created, made)
	}
	if move, ok := readSystemTransfer(o); ok && move.to != nil {
		f.credited = append(f.credited, *move.to)
	}
}

func (f *facts) learnAssociated(o *operation) {
	if len(o.data) > 1 || o.count() < 6 {
		return
	}
	account, wallet, program := o.at(1), o.at(2), o.at(5)
	if account == nil || wallet == nil || program == nil || !isTokenProgram(*program) {
		return
	}
	made := ataCreation{event: event{*account, o.order}, wallet: *wallet, mint: o.at(3), program: *program}
	f.atas = append(f.atas, made)
	f.name(made.mint)
}

func (f *facts) learnToken(o *operation) {
	if len(o.data) == 0 || o.at(0) == nil {
		return
	}
	here := event{*o.at(0), o.order}
	switch tag := o.data[0]; tag {
	case tokenInitializeAccount, tokenInitializeAccount2, tokenInitializeAccount3:
		if owner, ok := initialOwner(o); ok {
			f.inits = append(f.inits, initialisation{event: here, program: o.program, mint: o.at(1), owner: owner})
			f.name(o.at(1))
		}
	case tokenInitializeMint, tokenInitializeMint2:
		f.inits = append(f.inits, initialisation{event: here, program: o.program, isMint: true})
	case tokenClose, tokenWithdrawExcess, tokenUnwrap:
		if tag == tokenClose {
			f.closed = append(f.closed, here)
		}
		if to := o.at(1); to != nil {
			f.credited = append(f.credited, *to)
		}
	case tokenRevoke:
		f.revoked = append(f.revoked, here)
	case tokenTransferChecked, tokenApproveChecked, tokenBurn, tokenBurnChecked, tokenTransferFee:
		f.name(o.at(1))
	}
}

// name remembers a mint: its associated token account may be asked for.
func (f *facts) name(mint *PublicKey) {
	if mint != nil && !slices.Contains(f.mints, *mint) {
		f.mints = append(f.mints, *mint)
	}
}

// createdBefore returns the last creation of k before an order, nil without
// one: what reaches an address earlier can be moved on by whoever has its key.
func (f *facts) createdBefore(k *PublicKey, order int) *creation {
	for i := len(f.created) - 1; i >= 0; i-- {
		if made := &f.created[i]; made.order < order && same(&made.account, k) {
			return made
		}
	}
	return nil
}

// initialisedAfter returns the first initialisation of k by the token program
// after its creation at an order, nil without one.
func (f *facts) initialisedAfter(k *PublicKey, program PublicKey, order int) *initialisation {
	for i := range f.inits {
		if init := &f.inits[i]; init.order > order && init.program == program && same(&init.account, k) {
			return init
		}
	}
	return nil
}

// gone reports whether k is closed before order and not made again in
// between: what moves there then belongs to whoever holds its key.
func (f *facts) gone(k *PublicKey, order int) bool {
	closed := -1
	for i := range f.closed {
		if e := &f.closed[i]; e.order < order && same(&e.account, k) {
			closed = max(closed, e.order)
		}
	}
	if closed < 0 {
		return false
	}
	made := func(e event) bool { return e.account == *k && e.order > closed && e.order < order }
	return !slices.ContainsFunc(f.created, func(e creation) bool { return made(e.event) }) &&
		!slices.ContainsFunc(f.atas, func(e ataCreation) bool { return made(e.event) })
}

// revokedAfter reports whether an approval of k at order is revoked later.
func (f *facts) revokedAfter(k PublicKey, order int) bool {
	return slices.ContainsFunc(f.revoked, func(e event) bool { return e.account == k && e.order > order })
}
