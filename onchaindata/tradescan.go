package onchaindata

// fastTrades reads trades by hand.
func fastTrades(body []byte, list *TradeList) bool {
	return scan(body, func(s *scanner) { s.tradeList(list) })
}

func (s *scanner) tradeList(list *TradeList) {
	var trades []Trade
	seen := false
	for more := s.Open('{'); more; more = s.Next('{') {
		switch name := s.Key(); {
		case name != "data" && name != "included":
			s.OtherLower(name)
		case name == "included" || seen:
			s.Fail()
		default:
			seen = true
			trades = s.trades()
		}
	}
	list.set(trades)
}

func (s *scanner) trades() []Trade {
	if s.Null() {
		return nil
	}
	var trades []Trade
	for more := s.Open('['); more; more = s.Next('[') {
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
	for more := s.Open('{'); more; more = s.Next('{') {
		switch name := s.Key(); name {
		case "block_number":
			s.blockNumber(&t.BlockNumber)
		case "block_timestamp":
			s.Time(&t.Time)
		case "tx_hash":
			s.String(&t.TxHash)
		case "tx_from_address":
			s.String(&t.TxFrom)
		case "kind":
			s.String((*string)(&t.Kind))
		case "from_token_amount":
			s.Decimal(&t.FromAmount)
		case "to_token_amount":
			s.Decimal(&t.ToAmount)
		case "price_from_in_currency_token":
			s.Decimal(&t.PriceFromInCurrencyToken)
		case "price_to_in_currency_token":
			s.Decimal(&t.PriceToInCurrencyToken)
		case "price_from_in_usd":
			s.Decimal(&t.PriceFromUSD)
		case "price_to_in_usd":
			s.Decimal(&t.PriceToUSD)
		case "volume_in_usd":
			s.Decimal(&t.VolumeUSD)
		default:
			s.OtherLower(name)
		}
	}
}

func (s *scanner) blockNumber(into *uint64) {
	if *into != 0 {
		s.Fail()
	}
	if !s.Null() {
		*into = uint64(s.Integer())
	}
}
