package judge

import (
	"slices"

	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing/internal/program"
)

// facts holds what a transaction says of accounts, learned before anything is
// judged. A transaction succeeds or fails as a whole, so that a fact holds for
// the instructions before it, too.
type facts struct {
	created  []creation
	atas     []ataCreation
	inits    []initialisation
	closed   []event
	revoked  []revocation
	credited []Key // accounts that get lamports by a transfer or a close
	mints    []Key // that instructions name
	spaces   []space
	foreign  []int // orders of calls of programs without rules, a mint's hook among them
}

// creation is an account that the System program makes.
type creation struct {
	event
	owner Key // program
}

// space is how long an account is made.
type space struct {
	account Key
	bytes   uint64
}

// ataCreation is an associated token account that is created.
type ataCreation struct {
	event
	wallet  Key
	mint    *Key // nil if it is in a table and unknown
	program Key  // token program
	proven  bool // the address is the one that wallet, mint and program derive
	fresh   bool // it fails if the account exists
}

// initialisation makes a token account or a mint of a new account.
type initialisation struct {
	event
	program Key
	mint    *Key // of a token account, nil if it is in a table and unknown
	owner   Key
	isMint  bool
}

// revocation ends an approval.
type revocation struct {
	event
	by Key // token program
}

// event is something that happens to an account.
type event struct {
	account Key
	order   int
}

// learn is the first pass. What is malformed is left to the second. What a
// simulation shows is kept apart: a program can tell that it is simulated, so
// that it may add to what is refused and never to what is allowed.
func learn(c *checker, o *operation) {
	if !o.simulated {
		c.facts.learn(c, o)
	}
	if len(c.inner) > 0 {
		c.simulatedFacts.learn(c, o)
	}
}

// facts are those that an operation may be judged by.
func (o *operation) facts() *facts {
	if o.simulated {
		return &o.check.simulatedFacts
	}
	return &o.check.facts
}

func (f *facts) learn(c *checker, o *operation) {
	switch o.Known.Kind {
	case program.OfSystem:
		f.learnSystem(o)
	case program.OfToken:
		f.learnToken(o)
		if o.MayHook() {
			f.foreign = append(f.foreign, o.order)
		}
	case program.OfAssociatedToken:
		f.learnAssociated(c, o)
	case program.Unruled:
		f.foreign = append(f.foreign, o.order)
	}
}

func (f *facts) learnSystem(o *operation) {
	if create, ok := o.ReadCreation(); ok && create.Account != nil {
		f.created = append(f.created, creation{event: event{*create.Account, o.order}, owner: create.Owner})
		f.spaces = append(f.spaces, space{*create.Account, create.Space})
	}
	if bytes, ok := o.U64(4); ok && o.SystemTag() == program.Allocate && o.At(0) != nil {
		f.spaces = append(f.spaces, space{*o.At(0), bytes})
	}
	if move, ok := o.ReadSystemMove(); ok && move.To != nil {
		f.credited = append(f.credited, *move.To)
	}
}

func (f *facts) learnAssociated(c *checker, o *operation) {
	if len(o.Data) > 1 {
		return
	}
	account, wallet, of := o.At(1), o.At(2), o.At(5)
	if account == nil || wallet == nil || of == nil || !program.IsToken(*of) {
		return
	}
	made := ataCreation{event: event{*account, o.order}, wallet: *wallet, mint: o.At(3), program: *of}
	made.fresh = len(o.Data) == 0 || o.Data[0] == 0
	made.proven = made.mint != nil && txwire.Same(c.associatedOf(wallet, made.mint, of), account)
	f.atas = append(f.atas, made)
	f.name(made.mint)
}

func (f *facts) learnToken(o *operation) {
	if len(o.Data) == 0 || o.At(0) == nil {
		return
	}
	here := event{*o.At(0), o.order}
	switch tag := o.Data[0]; tag {
	case program.TokenInitializeAccount, program.TokenInitializeAccount2, program.TokenInitializeAccount3:
		if owner, ok := o.ReadInitialOwner(); ok {
			f.inits = append(f.inits, initialisation{event: here, program: o.Program, mint: o.At(1), owner: owner})
			f.name(o.At(1))
		}
	case program.TokenInitializeMint, program.TokenInitializeMint2:
		f.inits = append(f.inits, initialisation{event: here, program: o.Program, isMint: true})
	case program.TokenClose, program.TokenWithdrawExcess, program.TokenUnwrap:
		if tag == program.TokenClose {
			f.closed = append(f.closed, here)
		}
		if to := o.At(1); to != nil {
			f.credited = append(f.credited, *to)
		}
	case program.TokenRevoke:
		f.revoked = append(f.revoked, revocation{here, o.Program})
	case program.TokenTransferChecked, program.TokenApproveChecked, program.TokenBurn,
		program.TokenBurnChecked, program.TokenTransferFee:
		f.name(o.At(1))
	}
}

// name remembers a mint: its associated token account may be asked for.
func (f *facts) name(mint *Key) {
	if mint != nil && !slices.Contains(f.mints, *mint) {
		f.mints = append(f.mints, *mint)
	}
}

// createdBefore returns the last creation of k before an order, nil without
// one: what reaches an address earlier can be moved on by whoever has its key.
func (f *facts) createdBefore(k *Key, order int) *creation {
	for i := len(f.created) - 1; i >= 0; i-- {
		if made := &f.created[i]; made.order < order && txwire.Same(&made.account, k) {
			return made
		}
	}
	return nil
}

// madeBefore reports whether k is made new before an order. A create that passes over an account
// that is there makes none, and one after the call may make what the call has closed.
func (f *facts) madeBefore(k *Key, order int) bool {
	return f.createdBefore(k, order) != nil || slices.ContainsFunc(f.atas, func(a ataCreation) bool {
		return a.proven && a.fresh && a.order < order && txwire.Same(&a.account, k)
	})
}

// spaceOf is the longest that the transaction makes k; ok is false if it does not
// make it.
func (f *facts) spaceOf(k *Key) (bytes uint64, ok bool) {
	for i := range f.spaces {
		if txwire.Same(&f.spaces[i].account, k) {
			bytes, ok = max(bytes, f.spaces[i].bytes), true
		}
	}
	return bytes, ok
}

// initialisedAfter returns the first initialisation of k by the token program
// after its creation at an order, nil without one. A program that is called in
// between may initialise the account to somebody else, and close it again.
func (f *facts) initialisedAfter(k *Key, by Key, order int) *initialisation {
	for i := range f.inits {
		if init := &f.inits[i]; init.order > order && init.program == by && txwire.Same(&init.account, k) {
			if slices.ContainsFunc(f.foreign, func(at int) bool { return at > order && at < init.order }) {
				return nil
			}
			return init
		}
	}
	return nil
}

// gone reports whether k is closed before order and not made again in
// between: what moves there then belongs to whoever holds its key.
func (f *facts) gone(k *Key, order int) bool {
	closed := -1
	for i := range f.closed {
		if e := &f.closed[i]; e.order < order && txwire.Same(&e.account, k) {
			closed = max(closed, e.order)
		}
	}
	if closed < 0 {
		return false
	}
	made := func(e event) bool { return e.account == *k && e.order > closed && e.order < order }
	return !slices.ContainsFunc(f.created, func(e creation) bool { return made(e.event) }) &&
		!slices.ContainsFunc(f.atas, func(e ataCreation) bool { return e.proven && made(e.event) })
}

// revokedAfter reports whether an approval of k at order is revoked later, by
// the same token program: the other one does not own the account.
func (f *facts) revokedAfter(k, by Key, order int) bool {
	return slices.ContainsFunc(f.revoked, func(r revocation) bool {
		return r.account == k && r.by == by && r.order > order
	})
}
