package webhooks

import (
	"bytes"
	"slices"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/jsonscan"
)

// sniffed is how much of a body's ends is looked at to guess the chain: the members
// beside the transactions. A wrong guess costs time alone.
const sniffed = 512

func looksLikeLedger(body []byte) bool {
	slot := []byte(`"slot"`)
	return bytes.Contains(body[:min(len(body), sniffed)], slot) || bytes.Contains(body[max(0, len(body)-sniffed):], slot)
}

// scanLedger reads the ledger chain's payload without reflection. It returns false for
// whatever the service does not usually send; what it takes it reads as
// encoding/json does.
func scanLedger(body []byte, p *LedgerPayload) bool {
	ok := jsonscan.Scan(body, func(s *jsonscan.Scanner) {
		s.Room = new(ledgerRoom)
		ledgerShape.Read(s, p)
	})
	return ok && p.Slot != 0 // the ordinary way tells 0 from nothing
}

// ledgerRoom has room for the many short lists of a payload.
type ledgerRoom struct {
	texts        jsonscan.Slab[string]
	amounts      jsonscan.Slab[walletfi.Amount]
	indexes      jsonscan.Slab[int]
	instructions jsonscan.Slab[LedgerInstruction]
}

// The shapes of a payload.
var (
	ledgerShape = jsonscan.New[LedgerPayload](jsonscan.Reader(readNumber),
		jsonscan.Reader(readLedgerTransactions))
	ledgerTransactionShape = jsonscan.New[LedgerTransaction](
		jsonscan.Reader(readAmounts), jsonscan.Reader(readDocument),
		jsonscan.Reader(readTexts), jsonscan.Reader(readInstructions),
	)
	ledgerInstructionShape = jsonscan.New[LedgerInstruction](jsonscan.Reader(readIndexes))
)

func readLedgerTransactions(s *jsonscan.Scanner, into *[]LedgerTransaction) {
	if s.Null() {
		return
	}
	list, from := []LedgerTransaction{}, s.Offset()
	for more := s.Open('['); more; more = s.Next('[') {
		if len(list) == 1 {
			list = slices.Grow(list, jsonscan.Likely[LedgerTransaction](s, from))
		}
		list = jsonscan.Extend(list)
		ledgerTransactionShape.Read(s, &list[len(list)-1])
	}
	*into = list
}

// readEach reads an array into a list of the slab, with read for each element. A null
// leaves the list as it is, and an element zero.
func readEach[T any](s *jsonscan.Scanner, into *[]T, slab *jsonscan.Slab[T], read func(*jsonscan.Scanner, *T)) {
	if s.Null() {
		return
	}
	list := slab.Begin()
	for more := s.Open('['); more; more = s.Next('[') {
		list = slab.Extend(list)
		if !s.Null() {
			read(s, &list[len(list)-1])
		}
	}
	*into = slab.End(list)
}

func readTexts(s *jsonscan.Scanner, into *[]string) {
	readEach(s, into, &s.Room.(*ledgerRoom).texts, (*jsonscan.Scanner).String)
}

func readAmounts(s *jsonscan.Scanner, into *[]walletfi.Amount) {
	readEach(s, into, &s.Room.(*ledgerRoom).amounts, (*jsonscan.Scanner).Amount)
}

func readIndexes(s *jsonscan.Scanner, into *[]int) {
	readEach(s, into, &s.Room.(*ledgerRoom).indexes, (*jsonscan.Scanner).Count)
}

func readInstructions(s *jsonscan.Scanner, into *[]LedgerInstruction) {
	readEach(s, into, &s.Room.(*ledgerRoom).instructions, ledgerInstructionShape.Read)
}

// readDocument keeps a value as it came, null too.
func readDocument(s *jsonscan.Scanner, into *walletfi.Document) {
	from := s.Offset()
	s.Skip()
	*into = slices.Clone(s.Since(from))
}
