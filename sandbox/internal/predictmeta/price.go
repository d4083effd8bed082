package predictmeta

import (
	"strconv"
	"time"
)

// price is a price or a probability in hundredths, on the wire a
// number between 0 and 1.
type price int64

// MarshalJSON writes the exact decimal.
func (p price) MarshalJSON() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(p)/100, 'f', -1, 64), nil
}

// Stamp writes a second as the service does.
func Stamp(second int64) string { return time.Unix(second, 0).UTC().Format("2006-01-02T15:04:05.000Z") }

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
	return mix(mix(m.seed^purpose*0x9e3779b97f4a7c15) ^ n)
}

// mix is the finalizer of splitmix64.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
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
