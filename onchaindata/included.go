package onchaindata

import "github.com/walletfi/walletfi-go/internal/lenient"

// related is an included record of one of three types. A record of another type is
// only in the page's Raw.
type related struct {
	token *Token
	pool  *Pool
	dex   *DEX
}

// UnmarshalJSON decodes by type.
func (r *related) UnmarshalJSON(b []byte) error {
	var head reference
	err := lenient.Unmarshal(b, &head)
	if err != nil {
		return err
	}
	*r = related{}
	switch head.Type {
	case "token":
		r.token, err = recordIn(b, tokenOf)
	case "pool":
		r.pool, err = recordIn(b, poolOf)
	case "dex":
		r.dex, err = recordIn(b, dexOf)
	}
	return err
}

// recordIn decodes a single record.
func recordIn[A any](b []byte, build func(*resource[A]) A) (*A, error) {
	var r resource[A]
	if err := r.UnmarshalJSON(b); err != nil {
		return nil, err
	}
	return new(build(&r)), nil
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
