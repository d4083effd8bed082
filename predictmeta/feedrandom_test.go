package predictmeta

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// speaker writes messages as services do, and now and then as none should.
type speaker struct{ *rand.Rand }

func (s speaker) of(texts ...string) string { return texts[s.IntN(len(texts))] }

func (s speaker) rarely(text, usual string) string {
	if s.IntN(40) == 0 {
		return text
	}
	return usual
}

func (s speaker) number() string {
	return s.of("0", "1", "0.5", fmt.Sprintf("0.%04d", s.IntN(10_000)), "1e-3", "0.25", "1.50E-2", `"0.75"`, "0.18446744073709551615",
		s.rarely("01", "0.7"), s.rarely(".5", "0.8"), s.rarely("1.", "0.9"), s.rarely("null", "1.0"), s.rarely(`"x"`, "0.11"), s.rarely("-", "-0"), s.rarely("1e", "0e3"),
		s.rarely("-0.25", "0"), s.rarely("1.01", "0"))
}

func (s speaker) count() string {
	return s.of("0", fmt.Sprint(s.Uint64()), fmt.Sprint(s.IntN(1000)), s.rarely("18446744073709551616", "4"), s.rarely("-1", "5"), s.rarely(`"6"`, "6"), s.rarely("1e2", "7"))
}

func (s speaker) time() string {
	return s.of(fmt.Sprintf(`"20%02d-%02d-%02dT%02d:%02d:%02dZ"`, s.IntN(100), 1+s.IntN(12), 1+s.IntN(31), s.IntN(24), s.IntN(60), s.IntN(60)),
		`"2026-01-02T03:04:05.123456789Z"`, `"2026-01-02T03:04:05+02:00"`, `"2026-01-02"`, "1767225600", `"1767225600.5"`, `""`,
		s.rarely(`"yesterday"`, "1"), s.rarely("null", "2"), s.rarely(`"2026-01-02T03:04:60Z"`, "3"))
}

func (s speaker) level() string {
	return s.join('{', '}', s.some(`"price":`+s.number(), `"quantity":`+s.count(), s.rarely(`"Price":1`, `"orders":2`)))
}

func (s speaker) side() string {
	levels := make([]string, s.IntN(4))
	for i := range levels {
		levels[i] = s.level()
	}
	return s.join('[', ']', levels)
}

// some returns most of the members, in any order.
func (s speaker) some(members ...string) []string {
	s.Shuffle(len(members), func(i, j int) { members[i], members[j] = members[j], members[i] })
	return members[s.IntN(40)/39*s.IntN(len(members)):]
}

func (s speaker) join(open, end byte, items []string) string {
	space := s.of("", "", "", " ", "\n\t")
	return string(open) + space + strings.Join(items, space+","+space) + space + s.rarely("", string(end))
}

func (s speaker) message() string {
	return s.join('{', '}', s.some(
		`"type":`+s.of(`"price_update"`, `"orderbook_update"`, `"trade"`, s.rarely(`"pong"`, `"trade"`)),
		`"ticker":`+s.of(`"MK-1"`, `"MK 2"`, s.rarely(`"M\u004b"`, `"A/B"`), s.rarely(`"MÜ"`, `"C"`), s.rarely("7", `"D"`)),
		`"yes_price" : `+s.number(), `"no_price":`+s.number(), `"price":`+s.number(), `"quantity":`+s.count(),
		`"bids":`+s.side(), `"asks":`+s.side(), `"side":`+s.of(`"buy"`, `"sell"`, `"x"`, s.rarely("1", `"buy"`)), `"timestamp":`+s.time(),
		s.of(`"seq":12`, `"new":true`, `"note":"`+strings.Repeat("n", s.IntN(30))+`"`, `"gone":null`, s.rarely(`"in":{}`, `"out":false`), s.rarely(`"ticker":"E"`, `"x":1`), s.rarely(`"SIDE":"buy"`, `"y":2`)),
	))
}

// Whatever is said, the decoder by hand reads it as encoding/json does, or
// leaves it to that.
func TestPlainAgainstJSON(t *testing.T) {
	s := speaker{rand.New(rand.NewPCG(5, 6))}
	d := new(feedDecoder)
	const messages = 30_000
	plain := map[string]int{}
	for range messages {
		text := s.message()
		got, ok := d.plain([]byte(text))
		if !ok {
			continue
		}
		want, err := byJSON([]byte(text))
		require.NoError(t, err, text)
		require.Equal(t, want, got, text)
		plain[fmt.Sprintf("%T", got)]++
	}
	require.Len(t, plain, 3)
	for kind, n := range plain {
		require.Greater(t, n, messages/20, kind)
	}
}
