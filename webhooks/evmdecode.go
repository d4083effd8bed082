package webhooks

import (
	"slices"
	"strings"

	"github.com/walletfi/walletfi-go/internal/jsonscan"
)

// scanEVM reads an EVM chain's payload without reflection. It returns false for
// whatever the service does not usually send; what it takes it reads as
// encoding/json does.
func scanEVM(body []byte, p *EVMPayload) bool {
	ok := jsonscan.Scan(body, func(s *jsonscan.Scanner) {
		s.Room = new(evmRoom)
		evmShape.Read(s, p)
	})
	return ok && (p.BlockHash != "" || p.BlockNumber != 0)
}

// evmRoom has room for the many short lists of a payload.
type evmRoom struct {
	topics jsonscan.Slab[string]
	logs   jsonscan.Slab[EVMLog]
}

// The shapes of a payload. A payload with a slot is the ledger chain's.
var (
	evmShape = jsonscan.New[EVMPayload](
		jsonscan.Refuse("slot"),
		jsonscan.Reader(readNumber), jsonscan.Reader(readTransactions),
	)
	evmTransactionShape = jsonscan.New[EVMTransaction](
		jsonscan.Reader(readNumber), jsonscan.Reader(readQuantity), jsonscan.Reader(readLogs),
	)
	evmLogShape = jsonscan.New[EVMLog](jsonscan.Reader(readNumber), jsonscan.Reader(readTopics))
)

func readTransactions(s *jsonscan.Scanner, into *[]EVMTransaction) {
	if s.Null() {
		return
	}
	list, from := []EVMTransaction{}, s.Offset()
	for more := s.Open('['); more; more = s.Next('[') {
		if len(list) == 1 {
			list = slices.Grow(list, jsonscan.Likely[EVMTransaction](s, from))
		}
		list = jsonscan.Extend(list)
		evmTransactionShape.Read(s, &list[len(list)-1])
	}
	*into = list
}

func readLogs(s *jsonscan.Scanner, into *[]EVMLog) {
	if s.Null() {
		return
	}
	slab := &s.Room.(*evmRoom).logs
	list := slab.Begin()
	for more := s.Open('['); more; more = s.Next('[') {
		list = slab.Extend(list)
		if !s.Null() {
			evmLogShape.Read(s, &list[len(list)-1])
		}
	}
	*into = slab.End(list)
}

func readTopics(s *jsonscan.Scanner, into *[]string) {
	if s.Null() {
		return
	}
	slab := &s.Room.(*evmRoom).topics
	list := slab.Begin()
	for more := s.Open('['); more; more = s.Next('[') {
		list = slab.Extend(list)
		s.String(&list[len(list)-1])
	}
	*into = slab.End(list)
}

// readQuantity reads a text or a number as text.
func readQuantity(s *jsonscan.Scanner, into *Quantity) {
	if !s.Null() {
		*into = Quantity(unquoted(s.Scalar()))
	}
}

// readNumber reads an integer in any of its forms.
func readNumber(s *jsonscan.Scanner, into *Number) {
	if s.Null() {
		return
	}
	text := unquoted(s.Scalar())
	if text == "" {
		return
	}
	n, err := parseNumber(text)
	if err != nil {
		s.Fail()
	}
	*into = n
}

// unquoted takes the quotes off a text without escapes.
func unquoted(token string) string {
	if text, quoted := strings.CutPrefix(token, `"`); quoted {
		return strings.TrimSuffix(text, `"`)
	}
	return token
}
