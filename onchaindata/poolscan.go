package onchaindata

import "github.com/walletfi/walletfi-go/internal/jsonscan"

// fastPoolPage reads a page of pools without reflection.
func fastPoolPage(body []byte, page *PoolPage) bool {
	return scan(body, func(s *scanner) { s.poolPage(page) })
}

// fastPool reads a single pool without reflection.
func fastPool(body []byte, answer *poolAnswer) bool {
	var page PoolPage
	if !fastPoolPage(body, &page) {
		return false
	}
	if len(page.Items) > 0 {
		answer.Pool = &page.Items[0]
	}
	return true
}

func (s *scanner) poolPage(page *PoolPage) {
	start := s.Offset()
	var along alongside
	hasData := false
	for more := s.Open('{'); more; more = s.Next('{') {
		switch name := s.Key(); name {
		case "data":
			if hasData {
				s.Fail()
			}
			hasData = true
			s.poolData(page)
		case "included":
			s.included(&along)
		default:
			s.OtherLower(name, "data", "included")
		}
	}
	page.Raw = s.Since(start)
	along.link(page.Items)
}

// poolData reads one pool or an array of pools.
func (s *scanner) poolData(page *PoolPage) {
	switch {
	case page.Items != nil:
		s.Fail()
	case s.Null():
	case s.Peek() == '{':
		page.Items = make([]Pool, 1)
		s.pool(&page.Items[0])
	default:
		for more := s.Open('['); more; more = s.Next('[') {
			if page.Items == nil {
				page.Items = make([]Pool, 0, PageSize)
			}
			page.Items = jsonscan.Extend(page.Items)
			s.pool(&page.Items[len(page.Items)-1])
		}
	}
}

func (s *scanner) pool(p *Pool) {
	start := s.Offset()
	r := s.record(func(string) { poolShape.Read(s.Scanner, p) })
	p.ID, p.BaseTokenID, p.QuoteTokenID, p.DEXID = r.id, r.baseToken, r.quoteToken, r.dex
	p.Raw = s.Since(start)
}

// poolShape reads a pool's attributes.
var poolShape = jsonscan.New[Pool](jsonscan.Reader(readTransactionCount))

var transactionCountShape = jsonscan.New[TransactionCount]()

// readTransactionCount allocates the counts of a page as one array.
func readTransactionCount(s *jsonscan.Scanner, into **TransactionCount) {
	if *into != nil {
		s.Fail()
	}
	if s.Null() {
		return
	}
	room, ok := s.Room.(*countRoom)
	if !ok || room.used == len(room.counts) {
		room = new(countRoom)
		s.Room = room
	}
	*into = &room.counts[room.used]
	room.used++
	transactionCountShape.Read(s, *into)
}

// countRoom has room for the counts of a page of pools, which saves an
// allocation for each.
type countRoom struct {
	used   int
	counts [5 * PageSize]TransactionCount
}
