package webhooks

import (
	"encoding/json"
	"regexp"
	"slices"

	"github.com/walletfi/walletfi-go/internal/jsontext"
)

// loading has the members of a ledger transaction, none of them documented, that tell of the
// addresses that it loads from tables.
type loading struct {
	loaded
	Version json.RawMessage `json:"version"`
	Meta    struct {
		loaded
		InnerInstructions []struct {
			Instructions []LedgerInstruction `json:"instructions"`
		} `json:"innerInstructions"`
	} `json:"meta"`
	Transaction struct {
		loaded
		Message struct {
			loaded
			AddressTableLookups []struct {
				Writable []json.RawMessage `json:"writableIndexes"`
				Readonly []json.RawMessage `json:"readonlyIndexes"`
			} `json:"addressTableLookups"`
		} `json:"message"`
	} `json:"transaction"`

	isVague bool // it says that there are some, in a form that is not read
}

// loaded has the addresses, which the chain's nodes tell in the meta, and some services in other
// places.
type loaded struct {
	LoadedAddresses struct {
		Writable []json.RawMessage `json:"writable"`
		Readonly []json.RawMessage `json:"readonly"`
	} `json:"loadedAddresses"`
}

// isVaguely matches a name under which addresses that are loaded come in other forms.
var isVaguely = regexp.MustCompile(`"(loaded_[a-z_]*|address_table_lookups)":`)

func loadingOf(record []byte) (l loading) {
	_ = json.Unmarshal(record, &l) // a member of another kind says nothing
	l.isVague = isVaguely.Match(record)
	return l
}

// fit returns how many accounts there are with those that are loaded, and whether so many
// balances fit a transaction with so many keys, of whose instructions the highest index is
// below named. Where it does not say how many it loads, its instructions do.
func (l *loading) fit(keys, balances, named int) (accounts int, fits bool) {
	switch said := l.said(); {
	case len(said) > 0:
		accounts = keys + slices.Max(said)
		isOne := slices.Min(said) == slices.Max(said)
		return accounts, isOne && (balances == keys || balances == accounts)
	case l.isVague:
		return max(keys, balances), balances >= keys
	}
	for _, inner := range l.Meta.InnerInstructions {
		named = reach(inner.Instructions, named)
		for _, i := range inner.Instructions {
			named = max(named, i.ProgramIDIndex+1)
		}
	}
	return max(keys, balances), balances >= keys && balances <= named
}

// keys returns the addresses that are loaded, as far as texts tell them.
func (l *loading) keys() (keys []string) {
	for _, address := range slices.Concat(l.Meta.LoadedAddresses.Writable, l.Meta.LoadedAddresses.Readonly) {
		if address[0] == '"' {
			keys = append(keys, string(jsontext.Unquote(address)))
		}
	}
	return keys
}

// said returns how many addresses are loaded, as each place that tells it says.
func (l *loading) said() (counts []int) {
	message := &l.Transaction.Message
	for _, at := range []loaded{l.Meta.loaded, message.loaded, l.Transaction.loaded, l.loaded} {
		if a := at.LoadedAddresses; a.Writable != nil || a.Readonly != nil {
			counts = append(counts, len(a.Writable)+len(a.Readonly))
		}
	}
	total := 0
	for _, table := range message.AddressTableLookups {
		l.isVague = l.isVague || table.Writable == nil || table.Readonly == nil
		total += len(table.Writable) + len(table.Readonly)
	}
	isSaid := message.AddressTableLookups != nil || string(l.Version) == `"legacy"`
	if isSaid && !l.isVague {
		counts = append(counts, total)
	}
	return counts
}

// reach returns the number of accounts up to the highest index of an account that an instruction
// names, at least least.
func reach(instructions []LedgerInstruction, least int) int {
	for _, i := range instructions {
		if len(i.Accounts) > 0 {
			least = max(least, slices.Max(i.Accounts)+1)
		}
	}
	return least
}
