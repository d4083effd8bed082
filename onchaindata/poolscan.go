package onchaindata

// fastPoolPage reads a page of pools by hand.
func fastPoolPage(body []byte, page *PoolPage) bool {
	return scan(body, func(s *scanner) { s.poolPage(page) })
}

// fastPool reads a single pool by hand.
func fastPool(body []byte, answer *poolAnswer) bool {
	var page PoolPage
	if !fastPoolPage(body, &page) {
		return false
	}
	if len(page.Pools) > 0 {
		answer.Pool = &page.Pools[0]
	}
	return true
}

func (s *scanner) poolPage(page *PoolPage) {
	start := s.Offset()
	var along alongside
	for more := s.Open('{'); more; more = s.Next('{') {
		switch name := s.Key(); name {
		case "data":
			s.poolData(page)
		case "included":
			s.included(&along)
		default:
			s.OtherLower(name)
		}
	}
	page.Raw = s.Since(start)
	along.link(page.Pools)
}

// poolData reads one pool or an array of pools.
func (s *scanner) poolData(page *PoolPage) {
	switch {
	case page.Pools != nil:
		s.Fail()
	case s.Null():
	case s.Peek() == '{':
		page.Pools = make([]Pool, 1)
		s.pool(&page.Pools[0])
	default:
		for more := s.Open('['); more; more = s.Next('[') {
			if page.Pools == nil {
				page.Pools = make([]Pool, 0, PageSize)
			}
			page.Pools = append(page.Pools, Pool{})
			s.pool(&page.Pools[len(page.Pools)-1])
		}
	}
}

func (s *scanner) pool(p *Pool) {
	start := s.Offset()
	r := s.record(func(string) { s.poolAttributes(p) })
	p.ID, p.BaseTokenID, p.QuoteTokenID, p.DEXID = r.id, r.baseToken, r.quoteToken, r.dex
	p.Raw = s.Since(start)
}

func (s *scanner) poolAttributes(p *Pool) {
	for more := s.Open('{'); more; more = s.Next('{') {
		switch name := s.Key(); name {
		case "address":
			s.String(&p.Address)
		case "name":
			s.String(&p.Name)
		case "pool_created_at":
			s.Time(&p.CreatedAt)
		case "fdv_usd":
			s.Decimal(&p.FDVUSD)
		case "market_cap_usd":
			s.Decimal(&p.MarketCapUSD)
		case "reserve_in_usd":
			s.Decimal(&p.ReserveUSD)
		case "base_token_price_usd":
			s.Decimal(&p.BaseTokenPriceUSD)
		case "quote_token_price_usd":
			s.Decimal(&p.QuoteTokenPriceUSD)
		case "base_token_price_native_currency":
			s.Decimal(&p.BaseTokenPriceInNative)
		case "price_change_percentage":
			s.periods(&p.PriceChange)
		case "transactions":
			s.transactions(&p.Transactions)
		case "volume_usd":
			s.periods(&p.VolumeUSD)
		default:
			s.OtherLower(name)
		}
	}
}

func (s *scanner) periods(p *Periods) {
	if s.Null() {
		return
	}
	for more := s.Open('{'); more; more = s.Next('{') {
		switch name := s.Key(); name {
		case "m5":
			s.Decimal(&p.M5)
		case "h1":
			s.Decimal(&p.H1)
		case "h6":
			s.Decimal(&p.H6)
		case "h24":
			s.Decimal(&p.H24)
		default:
			s.OtherLower(name)
		}
	}
}

func (s *scanner) transactions(t *TransactionCounts) {
	if s.Null() {
		return
	}
	for more := s.Open('{'); more; more = s.Next('{') {
		switch name := s.Key(); name {
		case "m5":
			s.transactionCount(&t.M5)
		case "m15":
			s.transactionCount(&t.M15)
		case "m30":
			s.transactionCount(&t.M30)
		case "h1":
			s.transactionCount(&t.H1)
		case "h24":
			s.transactionCount(&t.H24)
		default:
			s.OtherLower(name)
		}
	}
}

func (s *scanner) transactionCount(into **TransactionCount) {
	if *into != nil {
		s.Fail()
	}
	if s.Null() {
		return
	}
	if len(s.counts) == 0 {
		s.counts = make([]TransactionCount, 5*PageSize)
	}
	c := &s.counts[0]
	s.counts = s.counts[1:]
	for more := s.Open('{'); more; more = s.Next('{') {
		switch name := s.Key(); name {
		case "buys":
			s.Count(&c.Buys)
		case "sells":
			s.Count(&c.Sells)
		case "buyers":
			s.Count(&c.Buyers)
		case "sellers":
			s.Count(&c.Sellers)
		default:
			s.OtherLower(name)
		}
	}
	*into = c
}
