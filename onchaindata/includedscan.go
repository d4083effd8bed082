package onchaindata

import "github.com/walletfi/walletfi-go/internal/jsonscan"

// alongside holds the records that were included with a page of pools.
type alongside struct {
	tokens []Token
	dexes  []DEX
	seen   bool
}

// link sets the records that each pool names.
func (a *alongside) link(pools []Pool) {
	l := &library{make(map[string]*Token, len(a.tokens)), nil, make(map[string]*DEX, len(a.dexes))}
	for i := range a.tokens {
		l.tokens[a.tokens[i].ID] = &a.tokens[i]
	}
	for i := range a.dexes {
		l.dexes[a.dexes[i].ID] = &a.dexes[i]
	}
	for i := range pools {
		l.link(&pools[i])
	}
}

// included reads tokens and DEXes; pools include nothing else.
func (s *scanner) included(a *alongside) {
	if a.seen {
		s.Fail()
	}
	a.seen = true
	if s.Null() {
		return
	}
	for more := s.Open('['); more; more = s.Next('[') {
		s.relatedRecord(a)
	}
}

func (s *scanner) relatedRecord(a *alongside) {
	start := s.Offset()
	var t *Token
	var d *DEX
	r := s.record(func(kind string) {
		switch {
		case t != nil || d != nil:
			s.Fail()
		case kind == "token":
			if a.tokens == nil {
				a.tokens = make([]Token, 0, PageSize)
			}
			a.tokens = jsonscan.Extend(a.tokens)
			t = &a.tokens[len(a.tokens)-1]
			tokenShape.Read(s.Scanner, t)
		case kind == "dex":
			a.dexes = jsonscan.Extend(a.dexes)
			d = &a.dexes[len(a.dexes)-1]
			dexShape.Read(s.Scanner, d)
		default:
			s.Fail()
		}
	})
	switch {
	case t != nil:
		t.ID, t.TopPoolIDs, t.Raw = r.id, r.topPools, s.Since(start)
	case d != nil:
		d.ID = r.id
	default:
		s.Fail()
	}
}

var (
	tokenShape = jsonscan.New[Token](jsonscan.Reader(readDecimals))
	dexShape   = jsonscan.New[DEX]()
)

// readDecimals reads a count that may be absent.
func readDecimals(s *jsonscan.Scanner, into **int) {
	if *into != nil {
		s.Fail()
	}
	if s.Null() {
		return
	}
	*into = new(int)
	s.Count(*into)
}
