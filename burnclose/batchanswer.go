package burnclose

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/echo"
)

// BatchItem is the relay's result for one transaction of a batch. The shape of
// the answer is not documented: an item is matched to its transaction by the
// signature, or otherwise by its position.
type BatchItem struct {
	// Signature is read from the transaction, or otherwise from the answer;
	// base58. It is empty if neither holds one.
	Signature string
	// Answered reports whether the answer says of this transaction that it was sent
	// or was not. If not, it is unknown.
	Answered bool
	// Sent reports whether the service says that it sent the transaction.
	Sent bool
	// Error is the service's reason for not sending it or, if it is not Answered, what is
	// wrong with the answer.
	Error        string
	Confirmation *Confirmation // nil if the service did not wait for one
	Raw          walletfi.Document
}

// batchAnswer is the answer to one call of SendBatch.
type batchAnswer struct {
	entries []batchEntry
	raw     walletfi.Document
}

// batchEntry is an item of an answer, not yet matched to a transaction.
type batchEntry struct {
	BatchItem
	index    int
	hasIndex bool
	problem  error
}

// UnmarshalJSON reads a list of items, at the top level or in one of the usual
// members.
func (a *batchAnswer) UnmarshalJSON(b []byte) error {
	items, ok := readList(b)
	if !ok {
		m, err := readDeciding(b)
		if err != nil {
			return err
		}
		items, _ = m.list("results", "transactions", "signatures", "responses", "items", "data")
	}
	a.entries = make([]batchEntry, len(items))
	says := false
	for i, item := range items {
		a.entries[i] = readEntry(item)
		says = says || a.entries[i].Answered
	}
	if !says {
		return errNoItems
	}
	return a.raw.UnmarshalJSON(b)
}

// What is wrong with an item.
var (
	errNoItem = errors.New("the answer says nothing of the transaction")
	errOther  = errors.New("the answer is of another transaction")
)

var errNoItems = errors.New("the answer says nothing of any transaction")

// mismatch is an answer about other transactions only.
func (a *batchAnswer) mismatch(items []BatchItem) error {
	items = slices.Clone(items)
	a.assign(items)
	if slices.ContainsFunc(items, func(i BatchItem) bool { return i.Answered }) {
		return nil
	}
	return echo.That(false, "results", fmt.Sprintf("%d transactions", len(items)), "others: "+a.entries[0].Signature)
}

// doubt unanswers the items that were not sent. An attempt before may have sent
// them, and what the ledger has is refused when it comes again.
func (a *batchAnswer) doubt() {
	for i := range a.entries {
		if e := &a.entries[i]; e.Answered && !e.Sent {
			e.Answered, e.problem = false, errNotSent
		}
	}
}

func readEntry(text []byte) batchEntry {
	var e batchEntry
	_ = e.Raw.UnmarshalJSON(text) // cannot fail
	if e.Signature = plainText(text); e.Signature != "" {
		e.Answered, e.Sent = true, true
		return e
	}
	m, err := readDeciding(text)
	if e.Answered = len(m) > 0 && err == nil; !e.Answered {
		e.problem = cmp.Or(err, errNoItem)
		return e
	}
	e.Signature = m.text("signature", "txid", "transactionSignature")
	e.Error = errorText(m["error"])
	e.index, e.hasIndex = m.count("index")
	e.Sent = e.Signature != "" && e.Error == ""
	says := e.Signature != "" || e.Error != ""
	for _, name := range []string{"success", "sent"} {
		if said, ok := truth(m[name]); ok {
			e.Sent, says = said, true
		}
	}
	if e.Answered = says; !says { // which is no "not sent"
		e.problem = errNoItem
	}
	var confirmation Confirmation
	if !absent(m["confirmation"]) && json.Unmarshal(m["confirmation"], &confirmation) == nil {
		e.Confirmation = confirmation.orNone()
	}
	return e
}

// errorText returns an error's text, or that of its message, or its JSON.
func errorText(text []byte) string {
	if b, ok := truth(text); absent(text) || ok && !b {
		return ""
	}
	if s := plainText(text); s != "" || string(text) == `""` {
		return s
	}
	if s := readMembers(text).text("message", "error"); s != "" {
		return s
	}
	return compact(text)
}

// assign matches the entries of the answer to the transactions of the call: by
// signature, then by index, then by position if the lists have the same length.
func (a *batchAnswer) assign(items []BatchItem) {
	bySignature := map[string]int{}
	for i := range items {
		if items[i].Signature != "" {
			bySignature[items[i].Signature] = i
		}
	}
	var rest []int
	var problem error
	for at := range a.entries {
		if i, ok := bySignature[a.entries[at].Signature]; !ok || !take(items, i, a.entries[at]) {
			rest = append(rest, at)
		}
	}
	for _, at := range rest {
		e := a.entries[at]
		if e.hasIndex && take(items, e.index, e) {
			continue
		}
		if len(a.entries) == len(items) && take(items, at, e) {
			continue
		}
		if e.problem == nil && e.Signature != "" {
			e.problem = errOther
		}
		problem = cmp.Or(problem, e.problem)
	}
	for i := range items {
		if problem != nil && !items[i].Answered {
			items[i].Error = problem.Error()
		}
	}
}

// take sets item i to e, unless the item is set already or its signature
// differs.
func take(items []BatchItem, i int, e batchEntry) bool {
	if i >= len(items) || items[i].Answered || !e.Answered {
		return false
	}
	known := items[i].Signature
	if known != "" && e.Signature != "" && known != e.Signature {
		return false
	}
	items[i] = e.BatchItem
	if known != "" {
		items[i].Signature = known
	}
	return true
}
