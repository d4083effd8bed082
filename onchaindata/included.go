package onchaindata

import "github.com/walletfi/walletfi-go/internal/wire"

// related is an included record of one of three types. A record of another type is
// only in the page's Raw.
type related struct {
	token *Token
	pool  *Pool
	dex   *DEX
}

// ReadWire reads by type.
func (r *related) ReadWire(s *wire.Scanner) (err error) {
	switch s.Member("type") { // it comes before the attributes as a rule
	case "token":
		r.token, err = recordIn(s, tokenOf)
	case "pool":
		r.pool, err = recordIn(s, poolOf)
	case "dex":
		r.dex, err = recordIn(s, dexOf)
	default:
		wire.Tell[document[Pool]](s, "included", wire.OfNoKind)
		err = wire.Value(s, new(reference))
	}
	return err
}

// recordIn reads a single record.
func recordIn[A any](s *wire.Scanner, fill func(*A, *resource[A])) (*A, error) {
	var r resource[A]
	if err := wire.Value(s, &r); err != nil {
		return nil, err
	}
	fill(&r.Attributes, &r)
	return &r.Attributes, nil
}

// library holds the included records by id.
type library struct {
	tokens map[string]*Token
	pools  map[string]*Pool
	dexes  map[string]*DEX
}

func newLibrary(included []related) *library {
	l := &library{map[string]*Token{}, map[string]*Pool{}, map[string]*DEX{}}
	for _, r := range included {
		switch {
		case r.token != nil:
			l.tokens[r.token.ID] = r.token
		case r.pool != nil:
			l.pools[r.pool.ID] = r.pool
		case r.dex != nil:
			l.dexes[r.dex.ID] = r.dex
		}
	}
	return l
}

// link sets the records that a pool names.
func (l *library) link(p *Pool) {
	p.BaseToken, p.QuoteToken, p.DEX = l.tokens[p.BaseTokenID], l.tokens[p.QuoteTokenID], l.dexes[p.DEXID]
}

// topPools sets the pools that a token names, if they were included.
func (l *library) topPools(t *Token) {
	t.TopPools = nil
	for _, id := range t.TopPoolIDs {
		if p := l.pools[id]; p != nil {
			t.TopPools = append(t.TopPools, p)
		}
	}
}
