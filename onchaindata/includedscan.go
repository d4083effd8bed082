package onchaindata

import "github.com/walletfi/walletfi-go"

// alongside is what came along with a page of pools.
type alongside struct {
	tokens []Token
	dexes  []DEX
	seen   bool
}

// link gives each pool what it points to.
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

// included reads tokens and DEXes; nothing else comes along with pools.
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
			a.tokens = append(a.tokens, Token{})
			t = &a.tokens[len(a.tokens)-1]
			s.tokenAttributes(t)
		case kind == "dex":
			a.dexes = append(a.dexes, DEX{})
			d = &a.dexes[len(a.dexes)-1]
			s.dexAttributes(d)
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

func (s *scanner) dexAttributes(d *DEX) {
	for more := s.Open('{'); more; more = s.Next('{') {
		switch name := s.Key(); name {
		case "name":
			s.String(&d.Name)
		default:
			s.OtherLower(name)
		}
	}
}

func (s *scanner) tokenAttributes(t *Token) {
	for more := s.Open('{'); more; more = s.Next('{') {
		name := s.Key()
		if text := t.text(name); text != nil {
			s.String(text)
			continue
		}
		if d := t.decimal(name); d != nil {
			s.Decimal(d)
			continue
		}
		switch name {
		case "decimals":
			s.decimals(&t.Decimals)
		case "websites":
			s.Strings(&t.Websites)
		case "volume_usd":
			s.periods(&t.VolumeUSD)
		case "price_change_percentage":
			s.periods(&t.PriceChange)
		default:
			s.OtherLower(name)
		}
	}
}

// decimals reads a count that may be absent.
func (s *scanner) decimals(into **int) {
	if *into != nil {
		s.Fail()
	}
	if s.Null() {
		return
	}
	*into = new(int)
	s.Count(*into)
}

// text is the text attribute of that name, nil if none.
func (t *Token) text(name string) *string {
	switch name {
	case "address":
		return &t.Address
	case "name":
		return &t.Name
	case "symbol":
		return &t.Symbol
	case "image_url":
		return &t.ImageURL
	case "description":
		return &t.Description
	case "community_chat_url":
		return &t.CommunityChatURL
	case "messenger_handle":
		return &t.MessengerHandle
	case "social_handle":
		return &t.SocialHandle
	case "aggregator_coin_id":
		return &t.AggregatorCoinID
	}
	return nil
}

// decimal is the decimal attribute of that name, nil if none.
func (t *Token) decimal(name string) *walletfi.Decimal {
	switch name {
	case "gt_score":
		return &t.Score
	case "price_usd":
		return &t.PriceUSD
	case "fdv_usd":
		return &t.FDVUSD
	case "market_cap_usd":
		return &t.MarketCapUSD
	case "total_supply":
		return &t.TotalSupply
	}
	return nil
}
