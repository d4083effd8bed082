package predictmeta_test

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/stretchr/testify/require"
	"github.com/walletfi/walletfi-go/predictmeta"
)

// feedMessages returns so many messages of 200 bytes each, of the three types
// in turn, none like another.
func feedMessages(t testing.TB, n int) [][]byte {
	t.Helper()
	source := rand.New(rand.NewPCG(1, 2))
	cents := func() string { return fmt.Sprintf("0.%02d", 1+source.IntN(98)) }
	all := make([][]byte, n)
	for i := range all {
		at := fmt.Sprintf("2026-01-02T03:%02d:%02d", source.IntN(60), source.IntN(60))
		ticker := fmt.Sprintf("SEN-28-%02d", source.IntN(50))
		level := func() string { return fmt.Sprintf(`{"price":%s,"quantity":%d}`, cents(), 100+source.IntN(900)) }
		text := ""
		switch i % 3 {
		case 0:
			text = fmt.Sprintf(`{"type":"price_update","ticker":%q,"yes_price":%s,"no_price":%s,"timestamp":"%s.%03dZ"`, ticker, cents(), cents(), at, source.IntN(1000))
		case 1:
			text = fmt.Sprintf(`{"type":"orderbook_update","ticker":%q,"bids":[%s,%s],"asks":[%s],"timestamp":"%sZ"`, ticker, level(), level(), level(), at)
		case 2:
			text = fmt.Sprintf(`{"type":"trade","ticker":%q,"price":%s,"quantity":%d,"side":"buy","timestamp":"%sZ"`, ticker, cents(), 1+source.IntN(9000), at)
		}
		const pad = `,"n":"`
		all[i] = fmt.Appendf(nil, `%s%s%0*d"}`, text, pad, 200-len(text)-len(pad)-2, 0)
		require.Len(t, all[i], 200)
	}
	return all
}

// The plain structs that a program without this package would decode into.
type (
	plainHead struct {
		Type string `json:"type"`
	}
	plainPrice struct {
		Ticker    string    `json:"ticker"`
		YesPrice  float64   `json:"yes_price"`
		NoPrice   float64   `json:"no_price"`
		Timestamp time.Time `json:"timestamp"`
	}
	plainLevel struct {
		Price    float64 `json:"price"`
		Quantity int     `json:"quantity"`
	}
	plainBook struct {
		Ticker    string       `json:"ticker"`
		Bids      []plainLevel `json:"bids"`
		Asks      []plainLevel `json:"asks"`
		Timestamp time.Time    `json:"timestamp"`
	}
	plainTrade struct {
		Ticker    string    `json:"ticker"`
		Price     float64   `json:"price"`
		Quantity  int       `json:"quantity"`
		Side      string    `json:"side"`
		Timestamp time.Time `json:"timestamp"`
	}
	// plainAny has the members of all three, which saves reading a message twice.
	plainAny struct {
		Type      string       `json:"type"`
		Ticker    string       `json:"ticker"`
		YesPrice  float64      `json:"yes_price"`
		NoPrice   float64      `json:"no_price"`
		Bids      []plainLevel `json:"bids"`
		Asks      []plainLevel `json:"asks"`
		Price     float64      `json:"price"`
		Quantity  int          `json:"quantity"`
		Side      string       `json:"side"`
		Timestamp time.Time    `json:"timestamp"`
	}
)

// decodeByType finds out the type, and decodes into a struct of its own.
func decodeByType(message []byte) (any, error) {
	var head plainHead
	if err := json.Unmarshal(message, &head); err != nil {
		return nil, err
	}
	event := map[string]func() any{
		"price_update":     func() any { return new(plainPrice) },
		"orderbook_update": func() any { return new(plainBook) },
		"trade":            func() any { return new(plainTrade) },
	}[head.Type]()
	return event, json.Unmarshal(message, event)
}

func decodeAtOnce(message []byte) (any, error) {
	var event plainAny
	err := json.Unmarshal(message, &event)
	return &event, err
}

// firehose sends feedMessages without end, many at a time, so that the client
// is measured.
func firehose(b *testing.B) string {
	var frames []byte
	for _, message := range feedMessages(b, 999) {
		frames = append(frames, 0x81, 126) // text, final, unmasked, the length follows
		frames = binary.BigEndian.AppendUint16(frames, uint16(len(message)))
		frames = append(frames, message...)
	}
	f := &feed{Script: func(ws *websocket.Conn, _ int) {
		var err error
		for err == nil {
			_, err = ws.NetConn().Write(frames)
		}
	}}
	return f.Loopback(b)
}

// BenchmarkFeed receives and decodes messages of 200 bytes over a socket: from
// a Stream, and as a program would do it that has gorilla/websocket and
// encoding/json alone.
func BenchmarkFeed(b *testing.B) {
	host := firehose(b)
	b.Run("Stream", func(b *testing.B) {
		c := clientOf(b, predictmeta.Config{BaseURL: "http://" + host, WebSocketURL: "ws://" + host})
		s, err := c.Stream(b.Context(), predictmeta.StreamRequest{QueueLen: 1 << 17, QueueBytes: 1 << 28})
		require.NoError(b, err)
		defer s.Close()
		receive(b, s)
	})
	for _, by := range []struct {
		name   string
		decode func([]byte) (any, error)
	}{{"a struct a type", decodeByType}, {"one struct for all", decodeAtOnce}} {
		b.Run("gorilla and encoding-json, "+by.name, func(b *testing.B) {
			ws, _, err := websocket.DefaultDialer.DialContext(b.Context(), "ws://"+host+"/ws", nil)
			require.NoError(b, err)
			defer ws.Close()
			b.ReportAllocs()
			for b.Loop() {
				_, message, err := ws.ReadMessage()
				if err != nil {
					b.Fatal(err)
				}
				if _, err := by.decode(message); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// receive counts what was dropped too: it was received and decoded as well.
func receive(b *testing.B, s *predictmeta.Stream) {
	dropped, left := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		if left--; left > 0 {
			continue
		}
		event, err := s.Recv(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		switch e := event.(type) {
		case *predictmeta.Dropped:
			dropped, left = dropped+e.Count, e.Count
		case *predictmeta.Connected, *predictmeta.PriceUpdate, *predictmeta.BookUpdate, *predictmeta.TradeUpdate:
		default:
			b.Fatalf("%T", event)
		}
	}
	b.ReportMetric(float64(dropped)/float64(b.N), "dropped/op")
}
