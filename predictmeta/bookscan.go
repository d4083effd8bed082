package predictmeta

import (
	"slices"

	"github.com/walletfi/walletfi-go/internal/jsonscan"
)

// fastBook reads an order book, which has both of its sides, without reflection.
func fastBook(text []byte, b *BookSnapshot) bool {
	return jsonscan.Scan(text, func(s *jsonscan.Scanner) { bookShape.Read(s, b) }) && b.Bids != nil && b.Asks != nil
}

var (
	bookShape  = jsonscan.New[BookSnapshot](jsonscan.Reader(readLevels))
	levelShape = jsonscan.New[Level](jsonscan.Whole())
)

func readLevels(s *jsonscan.Scanner, into *[]Level) {
	if *into != nil {
		s.Fail()
	}
	if s.Null() {
		return
	}
	list, from := []Level{}, s.Offset()
	for more := s.Open('['); more; more = s.Next('[') {
		if len(list) == 1 {
			list = slices.Grow(list, jsonscan.Likely[Level](s, from))
		}
		list = jsonscan.Extend(list)
		level := &list[len(list)-1]
		if levelShape.Read(s, level); level.Price.IsZero() {
			s.Fail()
		}
	}
	*into = list
}
