// Package altered compares a transaction that the owner's wallet signed with the one that was given
// to it. Wallets set other fees, and add assertions; nothing else may differ.
package altered

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/walletfi/walletfi-go/internal/txwire"
	"github.com/walletfi/walletfi-go/signing"
)

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

// Between compares what was signed with what was given to be signed. It returns, in words, the limits
// and prices that are set otherwise and the assertions that were added. Anything else is an error.
func Between(given, signed *signing.Transaction) (fees, assertions []string, err error) {
	was, err := formOf(given)
	now, nowErr := formOf(signed)
	if err := cmp.Or(err, nowErr); err != nil {
		return nil, nil, err
	}
	wasSigners, nowSigners := texts(given.Signers()), texts(signed.Signers())
	switch {
	case given.Version() != signed.Version():
		return nil, nil, Differs("format", given.Version(), signed.Version())
	case given.Blockhash() != signed.Blockhash():
		return nil, nil, Differs("blockhash", given.Blockhash(), signed.Blockhash())
	case given.FeePayer() != signed.FeePayer():
		return nil, nil, Differs("fee payer", given.FeePayer(), signed.FeePayer())
	case !slices.Equal(wasSigners, nowSigners):
		return nil, nil, Differs("signers", wasSigners, nowSigners)
	}
	assertions, err = addedCalls(was.calls, now.calls)
	if err != nil {
		return nil, nil, err
	}
	for _, name := range now.names {
		if _, known := was.writable[name]; now.writable[name] != was.writable[name] && (known || now.writable[name]) {
			return nil, nil, Differs("may "+name+" be written", was.writable[name], now.writable[name])
		}
	}
	fees, err = changedSettings(was.settings(), now.settings())
	return fees, assertions, err
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

// Differs is the error of something that may not be changed.
func Differs(what string, was, now any) error {
	return fmt.Errorf("%s: it was %v and is %v", what, was, now)
}

// addedCalls are assertions among the calls that there were.
func addedCalls(was, now []call) (added []string, err error) {
	const position = "an instruction"
	for _, c := range now {
		switch {
		case len(was) > 0 && c.same(was[0]):
			was = was[1:]
		case c.asserts():
			added = append(added, fmt.Sprintf("an assertion of %s, %x, about %q", c.program, c.data, c.accounts))
		case len(was) > 0:
			return nil, Differs(position, describe(was[0]), describe(c))
		default:
			return nil, Differs(position, "none", describe(c))
		}
	}
	if len(was) > 0 {
		return nil, Differs(position, describe(was[0]), "gone")
	}
	reads := func(c call) bool { return slices.Contains(precompiles, c.program) }
	if len(added) > 0 && slices.ContainsFunc(now, reads) {
		return nil, errors.New("there are more instructions, and one reads others by their number")
	}
	return added, nil
}

func describe(c call) string {
	return fmt.Sprintf("a call of %s with %x and %q", signing.ProgramName(c.program), c.data, c.accounts)
}

// changedSettings are other limits and prices.
func changedSettings(was, now map[string]string) (set []string, err error) {
	all := maps.Clone(was)
	maps.Copy(all, now)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		before, after := cmp.Or(was[name], "not set"), cmp.Or(now[name], "not set")
		switch {
		case before == after:
		case name == unitLimit || name == unitPrice || name == priorityFee:
			set = append(set, fmt.Sprintf("the %s was %s and is %s", name, before, after))
		default:
			return nil, Differs(name, before, after)
		}
	}
	return set, nil
}
