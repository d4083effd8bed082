package predictmeta

import (
	"fmt"
	"iter"
	"math"
	"strconv"
	"time"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

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

// price is a price or a probability in hundredths, on the wire a
// number between 0 and 1.
type price int64

// MarshalJSON writes the exact decimal.
func (p price) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(p)/100, 'f', -1, 64), nil
}

// Stamp writes a second as the service does.
func Stamp(second int64) string { return kit.Stamp(time.Unix(second, 0)) }

// The purposes of draw. Each has its own sequence.
const (
	drawBase uint64 = iota + 1
	drawSpread
	drawLevel
	drawTrade
	drawInterest
	drawWave // and one value more for each wave
)

// draw is a number that depends on the seed, the market, what it is for and n,
// and on nothing else.
func (m *Market) draw(purpose, n uint64) uint64 {
	return kit.Mix(kit.Mix(m.seed^purpose*0x9e3779b97f4a7c15) ^ n)
}

// waves are what a price is the sum of, each a random line with a
// corner every period: seconds, and thousandths of a cent.
var waves = []struct{ period, height int64 }{
	{5, 2_500}, {61, 4_000}, {907, 5_000}, {21_601, 8_000}, {259_201, 15_000},
}

func (m *Market) wave(purpose uint64, second, period, height int64) int64 {
	corner := func(i int64) int64 { return int64(m.draw(purpose, uint64(i))%uint64(2*height+1)) - height }
	from, to := corner(second/period), corner(second/period+1)
	return from + (to-from)*(second%period)/period
}

// mid is the middle of the book, in cents from 1 to 99.
func (m *Market) mid(second int64) price {
	milli := m.base
	for i, w := range waves {
		milli += m.wave(drawWave+uint64(i), second, w.period, w.height)
	}
	return price(min(max((milli+500)/1000, 1), 99))
}

// HalfSpread is how far the best prices are from the middle, in cents.
func (m *Market) HalfSpread(second int64) price {
	return price(1 + m.draw(drawSpread, uint64(second/30))%2)
}

// YesPrice is the middle of the book while the market is open, then the last
// middle, and 1 or 0 once the outcome is determined.
func (m *Market) YesPrice(second int64) price {
	if second < m.Event.determines() {
		return m.mid(min(max(second, m.Opens), m.Event.closes-1))
	}
	if m.mid(m.Event.closes-1) >= 50 {
		return 100
	}
	return 0
}

// openInterest drifts around a number of the market's own.
func (m *Market) openInterest(second int64) int64 {
	if second < m.Opens {
		return 0
	}
	return 5_000 + int64(m.draw(drawBase, 1)%50_000) +
		m.wave(drawInterest, min(second, m.Event.closes), 3600, 2_000)
}

// instant is a start_time or an end_time. How it is written is not
// documented: Unix seconds, Unix milliseconds, RFC 3339 and dates are understood.
type instant int64

// millis is the number from which on milliseconds are meant: as
// seconds it lies in the year 5138.
const millis = 100_000_000_000

// UnmarshalText reads any of the forms.
func (t *instant) UnmarshalText(text []byte) error {
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil && kit.IsInteger(string(text)) {
		if n >= millis {
			n /= 1000
		}
		*t = instant(n)
		return nil
	}
	at, err := time.Parse(time.RFC3339, string(text))
	if err != nil {
		at, err = time.Parse(time.DateOnly, string(text))
	}
	if err != nil {
		return fmt.Errorf("is no timestamp")
	}
	*t = instant(at.Unix())
	return nil
}

// window is the span from start up to, but without, end, which is no
// later than the present second's; fallback is how long it is if no start is given
// where it starts.
func window(start, end *instant, now, fallback int64) (from, to int64) {
	to = now + 1
	if end != nil {
		to = min(int64(*end), to)
	}
	from = to - 1 - fallback
	if start != nil {
		from = int64(*start)
	}
	kit.BadIf(start != nil && end != nil && *start > *end, "start_time is after end_time")
	return max(from, 0), to
}

// interval is the span of a market's candle. Its values are an open
// set: a count with a unit, or bare minutes.
type interval string

// seconds returns the length: an hour if there is none to be read.
func (i interval) seconds() int64 {
	const hour = 3600
	if i == "" {
		return hour
	}
	unit, digits := int64(60), string(i)
	if u, ok := map[byte]int64{'m': 60, 'h': 3600, 'd': day, 'w': 7 * day}[i[len(i)-1]]; ok {
		unit, digits = u, digits[:len(digits)-1]
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 1 || n > math.MaxInt32 {
		return hour
	}
	return n * unit
}
