package onchaindata

import (
	"github.com/walletfi/walletfi-go/internal/transport"
)

// related is a record that came along, by its type one of three. Of any other
// type it is none: it stays in the page's Raw.
type related struct {
	token *Token
	pool  *Pool
	dex   *DEX
}

// UnmarshalJSON decides by type.
func (r *related) UnmarshalJSON(b []byte) error {
	var head reference
	err := transport.Unmarshal(b, &head)
	if err != nil {
		return err
	}
	*r = related{}
	switch head.Type {
	case "token":
		r.token, err = alone(b, tokenOf)
	case "pool":
		r.pool, err = alone(b, poolOf)
	case "dex":
		r.dex, err = alone(b, dexOf)
	}
	return err
}

func alone[A any](b []byte, build func(*resource[A]) A) (*A, error) {
	var r resource[A]
	if err := r.UnmarshalJSON(b); err != nil {
		return nil, err
	}
	return new(build(&r)), nil
}

// library holds what came along, by id.
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

// link gives a pool what it points to.
func (l *library) link(p *Pool) {
	p.BaseToken, p.QuoteToken, p.DEX = l.tokens[p.BaseTokenID], l.tokens[p.QuoteTokenID], l.dexes[p.DEXID]
}

// topPools gives a token the pools that it points to, as far as they came along.
func (l *library) topPools(t *Token) {
	t.TopPools = nil
	for _, id := range t.TopPoolIDs {
		if p := l.pools[id]; p != nil {
			t.TopPools = append(t.TopPools, p)
		}
	}
}
