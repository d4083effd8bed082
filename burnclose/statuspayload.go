package burnclose

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go"
)

// maxStatusDepth bounds the search: {status: {value: [{status: {...}}]}} is the
// deepest of the usual forms.
const maxStatusDepth = 6

// The members that may hold the status, and the words that report a failure
// without details.
var (
	statusWrappers = []string{"status", "value", "confirmation", "result", "data"}
	failureWords   = []string{"failed", "failure", "error", "reverted"}
)

// statusIn looks for Solana's fields in a payload whose shape is not
// documented. If the payload contradicts itself, the worst counts: an error
// anywhere is a failure, and of two commitments the lower counts. Only
// information from the ledger makes a transaction found; a service's own error
// does not.
func statusIn(payload []byte) walletfi.SignatureStatus {
	s, err := readStatus(payload)
	if err != nil {
		s.Commitment = ""
	}
	return s
}

var errNoStatus = errors.New("found is true, and nothing of the ledger's is said")

var errNoErr = errors.New("confirmationStatus is said, and whether the transaction failed is not")

var (
	errWord = errors.New("confirmationStatus is no text")
	errFlag = errors.New("confirmed is neither true nor false")
	errSlot = errors.New("slot is no slot")
)

// errBoth is a payload that says "not found" and says what only the ledger knows
// of a transaction. To believe the first would pay twice.
var errBoth = errors.New("found is false, and the status is that of a transaction on the ledger")

// readStatus is statusIn, with what is wrong with the payload.
func readStatus(payload []byte) (walletfi.SignatureStatus, error) {
	var f statusFinder
	f.look(payload, 0)
	s := walletfi.SignatureStatus{Found: f.seen, Commitment: f.commitment, Slot: f.slot, Err: f.err}
	if f.found != nil {
		s.Found = *f.found
	}
	switch {
	case f.broken != nil:
		return s, f.broken
	case s.Found && s.Commitment != "" && !f.judged && f.err == "":
		return s, errNoErr
	case s.Found && !f.seen && !f.says && f.err == "":
		return s, errNoStatus
	case s.Found:
		return s, nil
	case f.seen:
		return walletfi.SignatureStatus{}, errBoth
	}
	return walletfi.SignatureStatus{}, nil
}

type statusFinder struct {
	found      *bool // the payload's own found member
	seen       bool  // it holds a field that only a known transaction has
	says       bool  // it has a commitment that is not known, or says whether it is confirmed
	commitment walletfi.Commitment
	slot       uint64
	err        string
	judged     bool  // it says that the transaction did not fail: by an err that is null, or by Ok
	broken     error // a member that comes twice, or is of another kind
}

func (f *statusFinder) look(payload []byte, depth int) {
	if depth == maxStatusDepth || absent(payload) {
		return
	}
	if items, ok := readList(payload); ok {
		for _, item := range items {
			f.look(item, depth+1)
		}
		return
	}
	if word := plainText(payload); word != "" {
		f.word(word)
		return
	}
	m, err := readDeciding(payload)
	if word := m["confirmationStatus"]; err == nil && !absent(word) && plainText(word) == "" {
		err = errWord
	}
	if _, isFlag := truth(m["confirmed"]); !isFlag && !absent(m["confirmed"]) {
		err = cmp.Or(err, errFlag)
	}
	err = cmp.Or(err, f.readSlot(m["slot"]))
	f.broken = cmp.Or(f.broken, err)
	f.flags(m)
	f.says = f.says || plainText(m["confirmationStatus"]) != ""
	f.word(m.text("confirmationStatus"))
	f.errors(m)
	for _, name := range statusWrappers {
		f.look(m[name], depth+1)
	}
}

// readSlot reads a slot. One of 0 is none.
func (f *statusFinder) readSlot(text []byte) error {
	if absent(text) {
		return nil
	}
	slot, err := strconv.ParseUint(strings.Trim(string(text), `"`), 10, 64)
	if err != nil {
		return errSlot
	}
	f.slot, f.seen = cmp.Or(f.slot, slot), f.seen || slot > 0
	return nil
}

// errors reads the members that hold an error. What is not confirmed yet has
// only the ledger's own errors, which are objects: a text says why the service
// stopped waiting.
func (f *statusFinder) errors(m members) {
	confirmed, says := truth(m["confirmed"])
	f.says = f.says || says
	if says && confirmed {
		f.word(string(walletfi.CommitmentConfirmed))
	}
	_, isOk := m["Ok"]
	f.judged = f.judged || isOk || string(m["err"]) == "null" || string(m["Err"]) == "null"
	for _, name := range []string{"err", "Err", "error"} {
		if says && !confirmed && plainText(m[name]) != "" {
			continue
		}
		if failed := f.failure(m[name]); failed && name != "error" {
			f.seen = true
		}
	}
}

// flags reads the boolean members.
func (f *statusFinder) flags(m members) {
	if b, ok := truth(m["found"]); ok && (f.found == nil || !b) {
		f.found = &b
	}
	if b, isSaid := truth(m["success"]); isSaid && !b && f.err == "" {
		f.err = "the service says success:false"
	}
}

// word reads a status that is a single word.
func (f *statusFinder) word(word string) {
	word = strings.ToLower(word)
	c := walletfi.Commitment(word)
	switch {
	case slices.Contains(failureWords, word):
		if f.err == "" {
			f.err = word
		}
	case !c.AtLeast(walletfi.CommitmentProcessed):
	case f.commitment == "" || f.commitment.AtLeast(c):
		f.seen, f.commitment = true, c
	}
}

// failure reads an error and reports whether there is one: null, false and an
// empty string are not. Only null says that there is none.
func (f *statusFinder) failure(text []byte) bool {
	if b, ok := truth(text); absent(text) || ok && !b || bytes.Equal(text, []byte(`""`)) {
		return false
	}
	// A reason replaces a word that says only that it failed.
	if f.err == "" || slices.Contains(failureWords, f.err) {
		if f.err = plainText(text); f.err == "" {
			f.err = compact(text)
		}
	}
	return true
}

// truth reads a bool, bare or in quotes.
func truth(text []byte) (value, ok bool) {
	switch string(bytes.Trim(text, `"`)) {
	case "true":
		return true, true
	case "false":
		return false, true
	}
	return false, false
}

func compact(text []byte) string {
	var b bytes.Buffer
	if json.Compact(&b, text) != nil {
		return string(text)
	}
	return b.String()
}
