package predictmeta

import "iter"

// trade is one trade of the tape. The price is the yes outcome's,
// whichever outcome changed hands, so that the tape, the candles, last_price
// and the feed, which names no outcome, agree.
type trade struct {
	market   *Market
	slot     int64
	second   int64
	price    price
	quantity int64
	buy      bool // the taker's side
	yes      bool // the outcome that changed hands
}

// tradeIn returns the trade of one of the market's slots, each of which has at
// most one: at a second of its own, at the best price of that second's book,
// and no larger than the quantity there.
func (m *Market) tradeIn(slot int64) (trade, bool) {
	d := m.draw(drawTrade, uint64(slot))
	second := slot*m.pace + int64(d>>8%uint64(m.pace))
	if d%8 == 0 || !m.Live(second) {
		return trade{}, false
	}
	t := trade{market: m, slot: slot, second: second, buy: d>>32&1 == 0, yes: d>>33&1 == 0}
	bid, ask := m.touch(second)
	if t.buy && ask > 99 || !t.buy && bid < 1 {
		t.buy = !t.buy // that side of the book is empty
	}
	t.price = bid
	if t.buy {
		t.price = ask
	}
	t.quantity = 1 + int64(d>>40)%m.quantityAt(second, t.price)
	return t, true
}

// tradeAt returns the trade of a second, if there is one.
func (m *Market) tradeAt(second int64) (trade, bool) {
	t, ok := m.tradeIn(second / m.pace)
	return t, ok && t.second == second
}

// tape yields the trades from one second up to, but without, another, the
// first one first.
func (m *Market) tape(from, to int64) iter.Seq[trade] {
	from, to = max(from, m.Opens), min(to, m.Event.closes)
	return func(yield func(trade) bool) {
		for slot := from / m.pace; slot*m.pace < to; slot++ {
			t, ok := m.tradeIn(slot)
			if ok && t.second >= from && t.second < to && !yield(t) {
				return
			}
		}
	}
}

// lastPrice is that of the last trade at or before a second, 0 if there has
// been none.
func (m *Market) lastPrice(second int64) price {
	second = min(second, m.Event.closes-1)
	for slot := second / m.pace; (slot+1)*m.pace > m.Opens; slot-- {
		if t, ok := m.tradeIn(slot); ok && t.second <= second {
			return t.price
		}
	}
	return 0
}

// day is the span of volume_24h, in seconds.
const day = 86_400

// volume is the quantity traded in the day up to and with a second.
func (m *Market) volume(second int64) (sum int64) {
	for t := range m.tape(second-day, second+1) {
		sum += t.quantity
	}
	return sum
}
