package onchaindata

import (
	"bytes"
	"time"

	"github.com/walletfi/walletfi-go"
)

// fastCandles reads candles by hand.
func fastCandles(body []byte, list *candleList) bool {
	return scan(body, func(s *scanner) { s.candleList(list) })
}

func (s *scanner) candleList(list *candleList) {
	seen := false
	for more := s.open('{'); more; more = s.next('{') {
		switch name := s.key(); {
		case name != "data" && name != "included":
			s.other(name)
		case name == "included" || seen:
			s.fail()
		default:
			seen = true
			s.record(func(string) { s.candleAttributes(list) })
		}
	}
}

func (s *scanner) candleAttributes(list *candleList) {
	for more := s.open('{'); more; more = s.next('{') {
		switch name := s.key(); {
		case name != "ohlcv_list":
			s.other(name)
		case list.candles != nil:
			s.fail()
		case !s.null():
			s.candles(list)
		}
	}
}

func (s *scanner) candles(list *candleList) {
	for more := s.open('['); more; more = s.next('[') {
		if list.candles == nil {
			// Each has a bracket; there are few others in what follows.
			list.candles = make([]Candle, 0, min(bytes.Count(s.body[s.at:], []byte{'['}), MaxCandles))
		}
		list.candles = append(list.candles, Candle{})
		s.candle(&list.candles[len(list.candles)-1])
	}
}

// maxSeconds lies beyond the year 5000: what is past it is no time in seconds.
const maxSeconds = 99_999_999_999

func (s *scanner) candle(c *Candle) {
	s.space()
	if !s.open('[') {
		s.fail()
		return
	}
	s.space()
	seconds := s.integer()
	if seconds > maxSeconds {
		s.fail()
	}
	c.Time.Time = time.Unix(seconds, 0).UTC()
	for _, price := range [...]*walletfi.Decimal{&c.Open, &c.High, &c.Low, &c.Close, &c.Volume} {
		if !s.next('[') {
			s.fail()
			return
		}
		s.space()
		s.decimal(price)
	}
	for s.next('[') {
		s.skip(maxSkipDepth)
	}
}
