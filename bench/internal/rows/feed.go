package rows

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"

	"github.com/gorilla/websocket"

	"github.com/walletfi/walletfi-go/bench/internal/turns"
	"github.com/walletfi/walletfi-go/predictmeta"
)

func feeds() []Row {
	return []Row{
		{Group: "Feed", Name: "feed message of 200 bytes, both ends", Unit: "us of CPU", Goal: 25,
			Bound: 25, Measure: feedMessage},
	}
}

// feedServer sends as many messages as it is asked for, one after the other.
type feedServer struct {
	*httptest.Server
	send chan int
}

func newFeedServer() *feedServer {
	s := &feedServer{send: make(chan int)}
	message := []byte(`{"type":"price_update","ticker":"SEN-28-07","yes_price":0.52,"no_price":0.48,` +
		`"timestamp":"2026-01-02T03:04:05.123Z","n":"` + strings.Repeat("0", 76) + `"}`)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer ws.Close()
		go func() {
			for {
				if _, _, err := ws.ReadMessage(); err != nil {
					return
				}
			}
		}()
		for n := range s.send {
			for range n {
				if ws.WriteMessage(websocket.TextMessage, message) != nil {
					return
				}
			}
		}
	}))
	return s
}

// most is how many messages are under way, less than the stream's queue holds.
const most = 1000

// pieces has the server send n messages and receives them.
func (s *feedServer) pieces(receive func() error) turns.Work {
	return func(n int) error {
		for ; n > 0; n -= most {
			s.send <- min(n, most)
			if err := each(receive)(min(n, most)); err != nil {
				return err
			}
		}
		return nil
	}
}

func feedMessage(e Effort) (Figure, error) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	ours, theirs := newFeedServer(), newFeedServer()
	defer ours.Close()
	defer theirs.Close()
	defer close(ours.send)
	defer close(theirs.send)
	client, err := predictmeta.New(predictmeta.Config{
		BaseURL:      ours.URL,
		WebSocketURL: "ws" + strings.TrimPrefix(ours.URL, "http"),
	})
	if err != nil {
		return Figure{}, err
	}
	stream, err := client.Stream(ctx, predictmeta.StreamRequest{})
	if err != nil {
		return Figure{}, err
	}
	defer stream.Close()
	if event, err := stream.Recv(ctx); err != nil {
		return Figure{}, fmt.Errorf("%T, %w", event, err) // that it is connected
	}
	ws, _, err := websocket.DefaultDialer.DialContext(ctx, "ws"+strings.TrimPrefix(theirs.URL, "http"), nil)
	if err != nil {
		return Figure{}, err
	}
	defer ws.Close()
	results, err := turns.Run(e.plan(),
		turns.Contender{Name: "walletfi", Work: ours.pieces(func() error {
			event, err := stream.Recv(ctx)
			if err != nil {
				return err
			}
			if _, ok := event.(*predictmeta.PriceUpdate); !ok {
				return fmt.Errorf("%T", event)
			}
			return nil
		})},
		turns.Contender{Name: "gorilla and encoding/json", Work: theirs.pieces(func() error {
			_, message, err := ws.ReadMessage()
			if err != nil {
				return err
			}
			var event struct {
				Type      string    `json:"type"`
				Ticker    string    `json:"ticker"`
				YesPrice  float64   `json:"yes_price"`
				NoPrice   float64   `json:"no_price"`
				Timestamp time.Time `json:"timestamp"`
			}
			return json.Unmarshal(message, &event)
		})},
	)
	if err != nil {
		return Figure{}, err
	}
	return Figure{Value: float64(results[0].Best) / float64(time.Microsecond), Beside: results}, nil
}
