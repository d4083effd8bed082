package leverage

import (
	"slices"

	"github.com/walletfi/walletfi-go/internal/jsonscan"
)

// The pages of positions, events and offers are read without reflection, since
// iterators read many. What the readers decline is decoded by UnmarshalJSON of the
// page, which says what a page can be; TestPagesByHand holds the two together.
var (
	positionShape = jsonscan.New[Position](jsonscan.Alias("positionAddress", "address"), jsonscan.Reader(readToken))
	eventShape    = jsonscan.New[TradeEvent]()
	offerShape    = jsonscan.New[Offer](jsonscan.Reader(readToken))
	tokenShape    = jsonscan.New[Token]()
)

func readToken(s *jsonscan.Scanner, into **Token) {
	if !s.Null() {
		*into = new(Token)
		tokenShape.Read(s, *into)
	}
}

func scanPositions(body []byte, page *PositionPage) bool {
	return scanPage(body, "positions", func(s *jsonscan.Scanner) {
		page.Items = append(page.Items, Position{})
		item := &page.Items[len(page.Items)-1]
		from := s.Offset()
		positionShape.Read(s, item)
		item.Raw = s.Since(from)
	}, func() { page.Items = []Position{} })
}

func scanHistory(body []byte, page *TradeHistoryPage) bool {
	return scanPage(body, "events", func(s *jsonscan.Scanner) {
		page.Items = append(page.Items, TradeEvent{})
		item := &page.Items[len(page.Items)-1]
		from := s.Offset()
		eventShape.Read(s, item)
		item.Raw = s.Since(from)
	}, func() { page.Items = []TradeEvent{} })
}

// scanOffers leaves it to UnmarshalJSON to tell a liquidity of 0 from none.
func scanOffers(body []byte, page *OfferPage) bool {
	return jsonscan.Scan(body, func(s *jsonscan.Scanner) {
		page.Items = []Offer{}
		for more := s.Open('['); more; more = s.Next('[') {
			page.Items = append(page.Items, Offer{})
			item := &page.Items[len(page.Items)-1]
			offerShape.Read(s, item)
			if item.TotalLiquidity == 0 {
				s.Fail()
			}
		}
	})
}

// scanPage reads an array, or an object that has it under the given name.
func scanPage(body []byte, name string, item func(*jsonscan.Scanner), begin func()) bool {
	list := func(s *jsonscan.Scanner) {
		begin()
		for more := s.Open('['); more; more = s.Next('[') {
			item(s)
		}
	}
	return jsonscan.Scan(body, func(s *jsonscan.Scanner) {
		if s.Peek() == '[' {
			list(s)
			return
		}
		var room [maxMembers]string
		seen := room[:0]
		for more := s.Open('{'); more; more = s.Next('{') {
			member := s.Key()
			if slices.Contains(seen, member) || len(seen) == maxMembers {
				s.Fail()
			}
			seen = append(seen, member)
			if member == name {
				list(s)
			} else {
				s.Skip()
			}
		}
		if !slices.Contains(seen, name) {
			s.Fail()
		}
	})
}

// maxMembers is how many members an object around a list may have for scanPage, which
// compares their names.
const maxMembers = 16
