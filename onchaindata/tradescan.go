package onchaindata

// fastTrades reads trades by hand.
func fastTrades(body []byte, list *TradeList) bool {
	return scan(body, func(s *scanner) { s.tradeList(list) })
}

func (s *scanner) tradeList(list *TradeList) {
	var trades []Trade
	seen := false
	for more := s.open('{'); more; more = s.next('{') {
		switch name := s.key(); {
		case name != "data" && name != "included":
			s.other(name)
		case name == "included" || seen:
			s.fail()
		default:
			seen = true
			trades = s.trades()
		}
	}
	list.set(trades)
}

func (s *scanner) trades() []Trade {
	if s.null() {
		return nil
	}
	var trades []Trade
	for more := s.open('['); more; more = s.next('[') {
		if trades == nil {
			trades = make([]Trade, 0, MaxTrades)
		}
		trades = append(trades, Trade{})
		s.trade(&trades[len(trades)-1])
	}
	return trades
}

func (s *scanner) trade(t *Trade) {
	r := s.record(func(string) { s.tradeAttributes(t) })
	t.ID = r.id
}

func (s *scanner) tradeAttributes(t *Trade) {
	for more := s.open('{'); more; more = s.next('{') {
		switch name := s.key(); name {
		case "block_number":
			s.blockNumber(&t.BlockNumber)
		case "block_timestamp":
			s.time(&t.Time)
		case "tx_hash":
			s.string(&t.TxHash)
		case "tx_from_address":
			s.string(&t.TxFrom)
		case "kind":
			s.string((*string)(&t.Kind))
		case "from_token_amount":
			s.decimal(&t.FromAmount)
		case "to_token_amount":
			s.decimal(&t.ToAmount)
		case "price_from_in_currency_token":
			s.decimal(&t.PriceFromInCurrencyToken)
		case "price_to_in_currency_token":
			s.decimal(&t.PriceToInCurrencyToken)
		case "price_from_in_usd":
			s.decimal(&t.PriceFromUSD)
		case "price_to_in_usd":
			s.decimal(&t.PriceToUSD)
		case "volume_in_usd":
			s.decimal(&t.VolumeUSD)
		default:
			s.other(name)
		}
	}
}

func (s *scanner) blockNumber(into *uint64) {
	if *into != 0 {
		s.fail()
	}
	if !s.null() {
		*into = uint64(s.integer())
	}
}
