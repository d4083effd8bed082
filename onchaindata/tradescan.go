package onchaindata

import "github.com/walletfi/walletfi-go/internal/jsonscan"

// fastTrades reads trades without reflection.
func fastTrades(body []byte, list *TradePage) bool {
	return scan(body, func(s *scanner) { s.tradeList(list) })
}

func (s *scanner) tradeList(list *TradePage) {
	var trades []Trade
	start, seen := s.Offset(), false
	for more := s.Open('{'); more; more = s.Next('{') {
		switch name := s.Key(); {
		case name != "data" && name != "included":
			s.OtherLower(name, "data", "included")
		case name == "included" || seen:
			s.Fail()
		default:
			seen = true
			trades = s.trades()
		}
	}
	list.set(trades)
	list.Raw = s.Since(start)
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
		trades = jsonscan.Extend(trades)
		s.trade(&trades[len(trades)-1])
	}
	return trades
}

func (s *scanner) trade(t *Trade) {
	r := s.record(func(string) { tradeShape.Read(s.Scanner, t) })
	t.ID = r.id
}

// tradeShape reads a trade's attributes.
var tradeShape = jsonscan.New[Trade]()
