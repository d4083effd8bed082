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
	s.space()
	start := s.at
	var along alongside
	for more := s.open('{'); more; more = s.next('{') {
		switch name := s.key(); name {
		case "data":
			s.poolData(page)
		case "included":
			s.included(&along)
		default:
			s.other(name)
		}
	}
	page.Raw = s.body[start:s.at:s.at]
	along.link(page.Pools)
}

// poolData reads one pool or an array of pools.
func (s *scanner) poolData(page *PoolPage) {
	switch {
	case page.Pools != nil:
		s.fail()
	case s.null():
	case s.peek() == '{':
		page.Pools = make([]Pool, 1)
		s.pool(&page.Pools[0])
	default:
		for more := s.open('['); more; more = s.next('[') {
			if page.Pools == nil {
				page.Pools = make([]Pool, 0, PageSize)
			}
			page.Pools = append(page.Pools, Pool{})
			s.pool(&page.Pools[len(page.Pools)-1])
		}
	}
}

func (s *scanner) pool(p *Pool) {
	s.space()
	start := s.at
	r := s.record(func(string) { s.poolAttributes(p) })
	p.ID, p.BaseTokenID, p.QuoteTokenID, p.DEXID = r.id, r.baseToken, r.quoteToken, r.dex
	p.Raw = s.body[start:s.at:s.at]
}

func (s *scanner) poolAttributes(p *Pool) {
	for more := s.open('{'); more; more = s.next('{') {
		switch name := s.key(); name {
		case "address":
			s.string(&p.Address)
		case "name":
			s.string(&p.Name)
		case "pool_created_at":
			s.time(&p.CreatedAt)
		case "fdv_usd":
			s.decimal(&p.FDVUSD)
		case "market_cap_usd":
			s.decimal(&p.MarketCapUSD)
		case "reserve_in_usd":
			s.decimal(&p.ReserveUSD)
		case "base_token_price_usd":
			s.decimal(&p.BaseTokenPriceUSD)
		case "quote_token_price_usd":
			s.decimal(&p.QuoteTokenPriceUSD)
		case "base_token_price_native_currency":
			s.decimal(&p.BaseTokenPriceInNative)
		case "price_change_percentage":
			s.periods(&p.PriceChange)
		case "transactions":
			s.transactions(&p.Transactions)
		case "volume_usd":
			s.periods(&p.VolumeUSD)
		default:
			s.other(name)
		}
	}
}

func (s *scanner) periods(p *Periods) {
	if s.null() {
		return
	}
	for more := s.open('{'); more; more = s.next('{') {
		switch name := s.key(); name {
		case "m5":
			s.decimal(&p.M5)
		case "h1":
			s.decimal(&p.H1)
		case "h6":
			s.decimal(&p.H6)
		case "h24":
			s.decimal(&p.H24)
		default:
			s.other(name)
		}
	}
}

func (s *scanner) transactions(t *TransactionCounts) {
	if s.null() {
		return
	}
	for more := s.open('{'); more; more = s.next('{') {
		switch name := s.key(); name {
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
			s.other(name)
		}
	}
}

func (s *scanner) transactionCount(into **TransactionCount) {
	if *into != nil {
		s.fail()
	}
	if s.null() {
		return
	}
	if len(s.counts) == 0 {
		s.counts = make([]TransactionCount, 5*PageSize)
	}
	c := &s.counts[0]
	s.counts = s.counts[1:]
	for more := s.open('{'); more; more = s.next('{') {
		switch name := s.key(); name {
		case "buys":
			s.count(&c.Buys)
		case "sells":
			s.count(&c.Sells)
		case "buyers":
			s.count(&c.Buyers)
		case "sellers":
			s.count(&c.Sellers)
		default:
			s.other(name)
		}
	}
	*into = c
}
