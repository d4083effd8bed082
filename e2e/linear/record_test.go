package linear

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go/wallet"
)

// record is an entry as the models compare it.
type record struct {
	version    uint64
	text       string // all of the entry, as JSON
	state      wallet.KeyState
	intent     string
	signatures []string
	droppable  bool // the journal may drop it whenever it likes
}

// recordOf returns nil for the zero Entry, which stands for none.
func recordOf(e wallet.Entry) *record {
	if e.Version == 0 && e.Key == "" {
		return nil
	}
	text, err := json.Marshal(e)
	if err != nil {
		text = []byte(err.Error())
	}
	r := &record{
		version: e.Version, text: string(text), state: e.State, intent: e.Intent, droppable: e.Droppable(),
	}
	for _, s := range e.Steps {
		r.signatures = append(r.signatures, s.Own, s.Signature)
	}
	return r
}

// same reports whether seen and stored are equal to the last byte.
func (r *record) same(seen *record) bool {
	return r != nil && seen != nil && r.version == seen.version && r.text == seen.text
}

// asked reports whether a query selects the record, as the comment of wallet.Query
// has it.
func (r *record) asked(q wallet.Query) bool {
	settled := []wallet.KeyState{
		wallet.KeyFree, wallet.KeyConfirmed, wallet.KeyFailed, wallet.KeyExpired, wallet.KeyReleased,
	}
	switch {
	case r == nil:
		return false
	case q.Open && slices.Contains(settled, r.state):
		return false
	case q.Intent != "" && q.Intent != r.intent:
		return false
	}
	return len(q.Signatures) == 0 || slices.ContainsFunc(q.Signatures, func(s string) bool {
		return s != "" && slices.Contains(r.signatures, s)
	})
}

func (r *record) String() string {
	if r == nil {
		return "nothing"
	}
	drop := ""
	if r.droppable {
		drop = ", droppable"
	}
	return fmt.Sprintf("v%d (%s%s)", r.version, r.state, drop)
}
