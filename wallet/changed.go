package wallet

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing"
)

// Change is a difference between a transaction that was prepared and the one that the
// owner's wallet signed.
type Change struct {
	Transaction int        `json:"transaction"` // in the set, counted from 0
	Kind        ChangeKind `json:"kind"`
	Text        string     `json:"text"` // what was before, and what is there now
}

// ChangeKind names something that a wallet may change.
type ChangeKind string

// The kinds of changes. Anything else is ErrChanged.
const (
	// ChangeFee is another compute unit limit or price, or priority fee: what the guard's caps
	// and Config.Fees allow.
	ChangeFee ChangeKind = "fee"
	// ChangeAssertion is an added assertion of the Lighthouse program, which has the transaction
	// fail if an account is not as the wallet showed it to the user. The guard's policy has to
	// pin that program for the service, as any other.
	ChangeAssertion ChangeKind = "assertion"
	// ChangeOrder is the same calls and settings, written in another order, or with accounts that
	// no call uses.
	ChangeOrder ChangeKind = "order"
)

// noteChanged is the kind of a report's note of a change.
const noteChanged signing.NoteKind = "changed by the owner's wallet:"

// Lighthouse is the program whose assertions wallets add. Its instructions from 2 to 15 read
// accounts, and do nothing else.
var lighthouse = signing.MustPublicKey("L2TExMFKdjpN9kozasaurPirfHy9P8sbXoAN1qA3S95")

const firstAssertion, lastAssertion = 2, 15

// precompiles read the data of other instructions by their number.
var precompiles = []signing.PublicKey{
	signing.Ed25519Program, signing.Secp256k1Program, signing.Secp256r1Program,
}

// form is a transaction by what it does, whatever the order of its accounts.
type form struct {
	txwire.Transaction
	names    []string // of the accounts, by index: an address, or a table and the number in it
	writable map[string]bool
	calls    []call            // without those for the compute budget
	budget   map[byte][]byte   // settings of the compute budget
	config   map[string]uint64 // those of v1
}

type call struct {
	program  signing.PublicKey
	accounts []string
	data     []byte
}

func (c call) same(other call) bool {
	return c.program == other.program && slices.Equal(c.accounts, other.accounts) && bytes.Equal(c.data, other.data)
}

func (c call) asserts() bool {
	return c.program == lighthouse && len(c.data) > 0 && firstAssertion <= c.data[0] && c.data[0] <= lastAssertion
}

// formOf reads a transaction that was decoded before.
func formOf(tx *signing.Transaction) (*form, error) {
	f := &form{writable: map[string]bool{}, budget: map[byte][]byte{}, config: map[string]uint64{}}
	f.Raw = tx.Bytes()
	if faults := f.Parse(); faults != nil {
		return nil, faults
	}
	for _, k := range tx.AccountKeys() {
		f.names = append(f.names, k.String())
	}
	for _, writable := range []bool{true, false} {
		for _, l := range tx.Lookups() {
			of := l.Readonly
			if writable {
				of = l.Writable
			}
			for _, n := range of {
				f.names = append(f.names, fmt.Sprintf("%s:%d", l.Table, n))
			}
		}
	}
	for i, name := range f.names {
		f.writable[name] = f.Writable(i)
	}
	for _, ins := range tx.Instructions() {
		if ins.Program == signing.ComputeBudgetProgram && len(ins.Data) > 0 {
			if _, twice := f.budget[ins.Data[0]]; twice {
				return nil, fmt.Errorf("compute budget setting %d is there twice", ins.Data[0])
			}
			f.budget[ins.Data[0]] = ins.Data[1:]
			continue
		}
		c := call{program: ins.Program, data: ins.Data}
		for _, n := range ins.Accounts {
			if int(n) >= len(f.names) {
				return nil, fmt.Errorf("account %d is none", n)
			}
			c.accounts = append(c.accounts, f.names[n])
		}
		f.calls = append(f.calls, c)
	}
	if c, ok := tx.Config(); ok {
		f.config = map[string]uint64{
			priorityFee: uint64(c.PriorityFeeLamports), unitLimit: uint64(c.ComputeUnitLimit),
			"size of loaded accounts": uint64(c.LoadedAccountsDataMax), "heap": uint64(c.HeapBytes),
		}
	}
	return f, nil
}

// What a wallet may set otherwise.
const (
	unitLimit   = "compute unit limit"
	unitPrice   = "compute unit price in micro-lamports"
	priorityFee = "priority fee in lamports"
)

// settings are those of the compute budget by name, "" of one that is not set.
func (f *form) settings() map[string]string {
	all := map[string]string{}
	for kind, data := range f.budget {
		switch {
		case kind == 2 && len(data) == 4:
			all[unitLimit] = fmt.Sprint(binary.LittleEndian.Uint32(data))
		case kind == 3 && len(data) == 8:
			all[unitPrice] = fmt.Sprint(binary.LittleEndian.Uint64(data))
		default:
			all[fmt.Sprintf("compute budget setting %d", kind)] = fmt.Sprintf("%x", data)
		}
	}
	for name, n := range f.config {
		all[name] = fmt.Sprint(n)
	}
	return all
}

// signedByOwner checks that a transaction that came back has the owner's signature, and those of
// all who had signed before.
func signedByOwner(given, signed *signing.Transaction, owner signing.PublicKey) error {
	by := func(tx *signing.Transaction, key signing.PublicKey) (has, valid bool) {
		i := slices.Index(tx.Signers(), key)
		if i < 0 {
			return false, false
		}
		s := tx.Signatures()[i]
		return !s.IsZero(), s.Verify(key, tx.Message())
	}
	if has, valid := by(signed, owner); !valid {
		what := "it has none of its signature"
		if has {
			what = "the signature in its place is not its own over these bytes"
		}
		return fmt.Errorf("%w: that is %s; %s", ErrSignedByAnother, owner, what)
	}
	for _, key := range signed.Signers() {
		has, valid := by(signed, key)
		had, _ := by(given, key)
		if !valid && (has || had) {
			return fmt.Errorf("%w: the signature of %s does not hold for it", ErrChanged, key)
		}
	}
	return nil
}

// changes compares what was signed with what was given to be signed.
func changes(given, signed *signing.Transaction) ([]Change, error) {
	if bytes.Equal(given.Message(), signed.Message()) {
		return nil, nil
	}
	was, err := formOf(given)
	now, nowErr := formOf(signed)
	if err := cmp.Or(err, nowErr); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrChanged, err)
	}
	wasSigners, nowSigners := texts(given.Signers()), texts(signed.Signers())
	switch {
	case given.Version() != signed.Version():
		return nil, differs("format", given.Version(), signed.Version())
	case given.Blockhash() != signed.Blockhash():
		return nil, differs("blockhash", given.Blockhash(), signed.Blockhash())
	case given.FeePayer() != signed.FeePayer():
		return nil, differs("fee payer", given.FeePayer(), signed.FeePayer())
	case !slices.Equal(wasSigners, nowSigners):
		return nil, differs("signers", wasSigners, nowSigners)
	}
	added, err := addedCalls(was.calls, now.calls)
	if err != nil {
		return nil, err
	}
	for _, name := range now.names {
		if _, known := was.writable[name]; now.writable[name] != was.writable[name] && (known || now.writable[name]) {
			return nil, differs("may "+name+" be written", was.writable[name], now.writable[name])
		}
	}
	set, err := changedSettings(was.settings(), now.settings())
	all := append(set, added...)
	if err == nil && len(all) == 0 {
		all = []Change{{Kind: ChangeOrder, Text: "the same calls, in another order or with accounts that none uses"}}
	}
	return all, err
}

// texts are addresses, sorted.
func texts(keys []signing.PublicKey) []string {
	all := make([]string, len(keys))
	for i, k := range keys {
		all[i] = k.String()
	}
	slices.Sort(all)
	return all
}

func differs(what string, was, now any) error {
	return fmt.Errorf("%w: %s: it was %v and is %v", ErrChanged, what, was, now)
}

// addedCalls are assertions among the calls that there were.
func addedCalls(was, now []call) (added []Change, err error) {
	const position = "an instruction"
	for _, c := range now {
		switch {
		case len(was) > 0 && c.same(was[0]):
			was = was[1:]
		case c.asserts():
			added = append(added, Change{
				Kind: ChangeAssertion, Text: fmt.Sprintf("an assertion of %s, %x, about %q", c.program, c.data, c.accounts),
			})
		case len(was) > 0:
			return nil, differs(position, describe(was[0]), describe(c))
		default:
			return nil, differs(position, "none", describe(c))
		}
	}
	if len(was) > 0 {
		return nil, differs(position, describe(was[0]), "gone")
	}
	reads := func(c call) bool { return slices.Contains(precompiles, c.program) }
	if len(added) > 0 && slices.ContainsFunc(now, reads) {
		return nil, fmt.Errorf("%w: there are more instructions, and one reads others by their number", ErrChanged)
	}
	return added, nil
}

func describe(c call) string {
	return fmt.Sprintf("a call of %s with %x and %q", signing.ProgramName(c.program), c.data, c.accounts)
}

// changedSettings are other limits and prices.
func changedSettings(was, now map[string]string) (set []Change, err error) {
	all := maps.Clone(was)
	maps.Copy(all, now)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		before, after := cmp.Or(was[name], "not set"), cmp.Or(now[name], "not set")
		switch {
		case before == after:
		case name == unitLimit || name == unitPrice || name == priorityFee:
			set = append(set, Change{Kind: ChangeFee, Text: fmt.Sprintf("the %s was %s and is %s", name, before, after)})
		default:
			return nil, differs(name, before, after)
		}
	}
	return set, nil
}
