package lending

import (
	"github.com/walletfi/walletfi-go/internal/jsonscan"
)

// Accounts, which bots poll, and pages of the history, of which iterators read many,
// are read without reflection. What the readers decline is decoded in the ordinary
// way, which says what an answer can be; TestByHand holds the two together.
var (
	accountShape = jsonscan.New[Account](jsonscan.Whole(), jsonscan.Reader(positionShape.List),
		jsonscan.Reader(rewardShape.List))
	positionShape = jsonscan.New[Position](jsonscan.Whole())
	rewardShape   = jsonscan.New[Reward](jsonscan.Whole())
	pageShape     = jsonscan.New[HistoryPage](jsonscan.Reader(readEvents))
	eventShape    = jsonscan.New[Event]()
)

func scanAccount(body []byte, account *Account) bool {
	return jsonscan.Scan(body, func(s *jsonscan.Scanner) { accountShape.Read(s, account) })
}

func scanHistory(body []byte, page *HistoryPage) bool {
	return jsonscan.Scan(body, func(s *jsonscan.Scanner) {
		pageShape.Read(s, page)
		if page.Items == nil {
			s.Fail()
		}
	})
}

// readEvents leaves it to UnmarshalJSON to tell an amount of 0 from none.
func readEvents(s *jsonscan.Scanner, into *[]Event) {
	list := []Event{}
	for more := s.Open('['); more; more = s.Next('[') {
		list = append(list, Event{})
		event := &list[len(list)-1]
		from := s.Offset()
		eventShape.Read(s, event)
		event.Raw = s.Since(from)
		if event.Amount == 0 && event.Type != EventWithdraw {
			s.Fail()
		}
	}
	*into = list
}
