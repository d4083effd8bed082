package onchaindata

import (
	"bytes"
	"time"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/internal/jsonscan"
)

// fastCandles reads candles without reflection.
func fastCandles(body []byte, list *CandlePage) bool {
	return scan(body, func(s *scanner) { s.candleList(list) })
}

func (s *scanner) candleList(list *CandlePage) {
	start, seen := s.Offset(), false
	for more := s.Open('{'); more; more = s.Next('{') {
		switch name := s.Key(); {
		case name != "data" && name != "included":
			s.OtherLower(name, "data", "included")
		case name == "included" || seen:
			s.Fail()
		default:
			seen = true
			s.record(func(string) { s.candleRows(list) })
		}
	}
	list.Raw = s.Since(start)
}

func (s *scanner) candleRows(list *CandlePage) {
	seen := false
	for more := s.Open('{'); more; more = s.Next('{') {
		switch name := s.Key(); {
		case name != "ohlcv_list":
			s.OtherLower(name, "ohlcv_list")
		case seen:
			s.Fail()
		default:
			seen = true
			if !s.Null() {
				s.candles(list)
			}
		}
	}
}

func (s *scanner) candles(list *CandlePage) {
	for more := s.Open('['); more; more = s.Next('[') {
		if list.Items == nil {
			// Each candle has a bracket; the rest of the body has few others.
			list.Items = make([]Candle, 0, min(bytes.Count(s.Rest(), []byte{'['}), MaxCandles))
		}
		list.Items = jsonscan.Extend(list.Items)
		s.candle(&list.Items[len(list.Items)-1])
	}
}

// maxSeconds is after the year 5000: a larger number is not a time in seconds.
const maxSeconds = 99_999_999_999

func (s *scanner) candle(c *Candle) {
	if !s.Open('[') {
		s.Fail()
		return
	}
	seconds := s.Integer()
	if seconds > maxSeconds {
		s.Fail()
	}
	c.Time.Time = time.Unix(seconds, 0).UTC()
	for _, price := range [...]*walletfi.Decimal{&c.Open, &c.High, &c.Low, &c.Close, &c.Volume} {
		if !s.Next('[') {
			s.Fail()
			return
		}
		s.Decimal(price)
	}
	for s.Next('[') {
		s.Skip()
	}
}
